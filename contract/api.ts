/** THE table of endpoints: what the service answers to, under /v1. */
import { accountEndpoints } from './accounts.ts'
import { auditEndpoints } from './audit.ts'
import { apiKeyEndpoints } from './api-keys.ts'
import { batchEndpoints } from './batches.ts'
import { billingEndpoints } from './billing.ts'
import { contentEndpoints } from './content.ts'
import { correctionEndpoints } from './corrections.ts'
import { cutEndpoints } from './cuts.ts'
import { dataExportEndpoints } from './data-export.ts'
import type { Client } from './endpoint.ts'
import { jobEndpoints } from './jobs.ts'
import { mailEndpoints } from './mail.ts'
import { paperEndpoints } from './papers.ts'
import { oauthEndpoints } from './oauth.ts'
import { paymentEndpoints } from './payments.ts'
import { projectEndpoints } from './projects.ts'
import { reviewEndpoints } from './review.ts'
import { searchEndpoints } from './search.ts'
import { shareEndpoints } from './shares.ts'
import { serviceEndpoints } from './service.ts'
import { syncEndpoints } from './syncs.ts'
import { webhookEndpoints } from './webhooks.ts'

export const api = {
  ...serviceEndpoints,
  ...accountEndpoints,
  ...mailEndpoints,
  ...dataExportEndpoints,
  ...auditEndpoints,
  ...billingEndpoints,
  ...paperEndpoints,
  ...paymentEndpoints,
  ...projectEndpoints,
  ...contentEndpoints,
  ...apiKeyEndpoints,
  ...webhookEndpoints,
  ...oauthEndpoints,
  ...jobEndpoints,
  ...reviewEndpoints,
  ...searchEndpoints,
  ...correctionEndpoints,
  ...batchEndpoints,
  ...cutEndpoints,
  ...shareEndpoints,
  ...syncEndpoints,
}

export type Api = typeof api
export type EndpointName = keyof Api
export type ApiClient = Client<Api>
