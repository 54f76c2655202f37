/**
 * Answers as the web relies on them: the specification's fields. Additions of our own server are
 * optional, so that the compiler names each place that would fail without them.
 */
import type { ApiKey as FullApiKey } from '../../contract/account/api-keys.ts'
import type { User as FullUser } from '../../contract/account/accounts.ts'
import type { ApiClient } from '../../contract/api.ts'
import type {
  BillingStats as FullStats,
  Transaction as FullRow,
} from '../../contract/account/billing.ts'
import type { ContentItem as FullItem } from '../../contract/footage/content.ts'
import type { Job, ListedJob as FullListedJob } from '../../contract/footage/jobs.ts'

type Relied<Entity, Specified extends keyof Entity> = Pick<Entity, Specified> &
  Partial<Omit<Entity, Specified>>

export type User = Relied<
  FullUser,
  | 'id'
  | 'email'
  | 'username'
  | 'name'
  | 'picture'
  | 'createdAt'
  | 'account_balance_usd'
  | 'auto_reload_enabled'
  | 'auto_reload_threshold_usd'
  | 'auto_reload_amount_usd'
  | 'auto_reload_consent_accepted_at'
>
export type BillingStats = Relied<
  FullStats,
  'total_spent_usd' | 'total_bonus_credits_usd' | 'total_credits_purchased_usd'
>
export type Transaction = Relied<
  FullRow,
  | 'id'
  | 'description'
  | 'amount_usd'
  | 'created_at'
  | 'metadata'
  | 'credit_package_bonus_percentage'
  | 'job_id'
>
export type ContentItem = Relied<
  FullItem,
  'id' | 'file_name' | 'canonical_url' | 'content_type' | 'file_size' | 'created_at'
>
/** A job of a list; `GET /jobs/{id}` is our own call and answers in full. */
export type ListedJob = Relied<
  FullListedJob,
  'id' | 'status' | 'content_url' | 'created_at' | 'workflow'
>
export type ApiKey = Relied<
  FullApiKey,
  'id' | 'name' | 'status' | 'created_at' | 'last_used_at' | 'expires_at'
>

type Page = { next_cursor?: string | null }

/** Only the specification's calls; what it does not show is not read. */
interface SpecifiedAnswers {
  getMe: User
  getBillingStats: BillingStats
  listBillingHistory: { transactions: Transaction[] } & Page
  listContent: { content: ContentItem[]; total?: number } & Page
  addReference: { content: ContentItem }
  deleteContent: unknown
  listJobs: { jobs: ListedJob[]; in_progress?: number } & Page
  createJob: { job: { id: string } & Partial<Job> }
  createCheckout: { checkout_url?: string }
  getPaymentConfig: { publishable_key: string; script_url?: string }
  createSetupIntent: { client_secret: string }
  confirmSetupIntent: unknown
  setDefaultPaymentMethod: unknown
  deletePaymentMethod: unknown
  saveAutoReload: unknown
  listApiKeys: { apiKeys: ApiKey[] }
  createApiKey: { apiKey: { name: string; key: string } }
  deleteApiKey: unknown
}

export type SpecifiedClient = {
  [Name in keyof ApiClient]: Name extends keyof SpecifiedAnswers
    ? (...args: Parameters<ApiClient[Name]>) => Promise<SpecifiedAnswers[Name]>
    : ApiClient[Name]
}
