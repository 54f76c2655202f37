/** THE table of endpoints: what the service answers to, under /v1. */
import { accountEndpoints } from './accounts.ts'
import { apiKeyEndpoints } from './api-keys.ts'
import { billingEndpoints } from './billing.ts'
import { contentEndpoints } from './content.ts'
import type { Client } from './endpoint.ts'
import { jobEndpoints } from './jobs.ts'
import { paymentEndpoints } from './payments.ts'
import { serviceEndpoints } from './service.ts'

export const api = {
  ...serviceEndpoints,
  ...accountEndpoints,
  ...billingEndpoints,
  ...paymentEndpoints,
  ...contentEndpoints,
  ...apiKeyEndpoints,
  ...jobEndpoints,
}

export type Api = typeof api
export type EndpointName = keyof Api
export type ApiClient = Client<Api>
