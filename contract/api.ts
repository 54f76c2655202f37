/** THE table of endpoints: what the service answers to, under /v1. */
import { accountEndpoints } from './account/accounts.ts'
import { auditEndpoints } from './account/audit.ts'
import { apiKeyEndpoints } from './account/api-keys.ts'
import { batchEndpoints } from './footage/batches.ts'
import { billingEndpoints } from './account/billing.ts'
import { contentEndpoints } from './footage/content.ts'
import { correctionEndpoints } from './footage/corrections.ts'
import { cutEndpoints } from './footage/cuts.ts'
import { dataExportEndpoints } from './account/data-export.ts'
import type { Client } from './endpoint.ts'
import { jobEndpoints } from './footage/jobs.ts'
import { mailEndpoints } from './account/mail.ts'
import { invoiceEndpoints } from './account/invoices.ts'
import { oauthEndpoints } from './account/oauth.ts'
import { paymentEndpoints } from './account/payments.ts'
import { playbackEndpoints } from './footage/playback.ts'
import { projectEndpoints } from './footage/projects.ts'
import { resumableEndpoints } from './footage/resumable.ts'
import { reviewEndpoints } from './footage/review.ts'
import { searchEndpoints } from './footage/search.ts'
import { shareEndpoints } from './footage/shares.ts'
import { serviceEndpoints } from './service.ts'
import { syncEndpoints } from './footage/syncs.ts'
import { webhookEndpoints } from './account/webhooks.ts'

export const api = {
  ...serviceEndpoints,
  ...accountEndpoints,
  ...mailEndpoints,
  ...dataExportEndpoints,
  ...auditEndpoints,
  ...billingEndpoints,
  ...invoiceEndpoints,
  ...paymentEndpoints,
  ...projectEndpoints,
  ...contentEndpoints,
  ...resumableEndpoints,
  ...playbackEndpoints,
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
