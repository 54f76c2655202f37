/** The columns of every table as kysely sees them; each noun is the only writer of its tables. */
import type { ColumnType, Generated } from 'kysely'
import type { Preferences } from '../../contract/account/accounts.ts'
import type { ExtractorId, WebhookEvent } from '../../domain/money/catalogue.ts'
import type { Corrections } from '../../domain/findings/corrections.ts'
import type { Cut } from '../../contract/footage/cuts.ts'
import type { Scope } from '../../contract/endpoint.ts'
import type { Media } from '../../domain/findings/findings.ts'
import type { SpokenLanguage } from '../../domain/languages.ts'
import type { MailKind } from '../../domain/mail-kinds.ts'
import type { BillingDetails, Paper } from '../../contract/account/invoices.ts'
import type { Review } from '../../contract/footage/review.ts'
import type { Project } from '../../contract/footage/projects.ts'
import type { RefusalCode } from '../../contract/refusal.ts'
import type { ShareProxyState } from '../../contract/footage/shares.ts'
import type { RenderedProxy, RenderOrder } from '../../engine/render-proxy.ts'

export interface Tables {
  accounts: AccountsTable
  identities: IdentitiesTable
  sign_ins: SignInsTable
  sessions: SessionsTable
  idempotent_requests: IdempotentRequestsTable
  signing_keys: SigningKeysTable
  api_keys: ApiKeysTable
  spends: SpendsTable
  audit_entries: AuditEntriesTable
  webhook_endpoints: WebhookEndpointsTable
  webhook_events: WebhookEventsTable
  webhook_deliveries: WebhookDeliveriesTable
  webhook_attempts: WebhookAttemptsTable
  webhook_salts: WebhookSaltsTable
  oauth_clients: OauthClientsTable
  oauth_codes: OauthCodesTable
  projects: ProjectsTable
  content: ContentTable
  content_resumables: ContentResumablesTable
  content_parts: ContentPartsTable
  content_multiparts: ContentMultipartsTable
  content_reservations: ContentReservationsTable
  payment_customers: PaymentCustomersTable
  purchases: PurchasesTable
  payment_events: PaymentEventsTable
  provider_movements: ProviderMovementsTable
  cards: CardsTable
  reloads: ReloadsTable
  auto_reload_states: AutoReloadStatesTable
  jobs: JobsTable
  job_items: JobItemsTable
  job_parts: JobPartsTable
  job_reads: JobReadsTable
  job_part_files: JobPartFilesTable
  syncs: SyncsTable
  sync_placements: SyncPlacementsTable
  job_extractors: JobExtractorsTable
  job_results: JobResultsTable
  job_result_files: JobResultFilesTable
  unowned_objects: UnownedObjectsTable
  job_passages: JobPassagesTable
  job_shelves: JobShelvesTable
  job_corrections: JobCorrectionsTable
  content_analysis: ContentAnalysisView
  key_spend_limits: KeySpendLimitsView
  project_items: ProjectItemsView
  batch_totals: BatchTotalsView
  shared_comments: ShareCommentsTable & { cut_id: string | null; job_id: string | null }
  batches: BatchesTable
  cuts: CutsTable
  cut_versions: CutVersionsTable
  shares: SharesTable
  share_comments: ShareCommentsTable
  share_readers: ShareReadersTable
  share_days: ShareDaysTable
  share_proxies: ShareProxiesTable
  share_proxy_files: ShareProxyFilesTable
  analytics_counts: AnalyticsCountsTable
  sign_in_places: SignInPlacesTable
  mails: MailsTable
  mail_choices: MailChoicesTable
  billing_details: BillingDetailsTable
  paper_counters: PaperCountersTable
  papers: PapersTable
  data_exports: DataExportsTable
}

interface AnalyticsCountsTable {
  /** yyyy-mm-dd */
  day: string
  name: string
  path: string
  detail: string
  count: number
}

type Timestamp = ColumnType<Date, Date | string, Date | string>
/** JSON goes in as text, so that an array is not taken for one of SQL's. */
type Json<T> = ColumnType<T, string | null, string | null>
type Defaulted<T> = ColumnType<T, T | undefined, T>

interface AccountsTable {
  id: Generated<string>
  email: string
  email_verified: Defaulted<boolean>
  username: string
  name: string | null
  picture: string | null
  created_at: Defaulted<Date>
  auto_reload_enabled: Defaulted<boolean>
  auto_reload_threshold_micros: number | null
  auto_reload_package_id: string | null
  auto_reload_consent_accepted_at: Date | null
  auto_reload_off_reason: string | null
  /** Nobody may add to it: it is being erased. */
  closed_at: Date | null
  preferences: ColumnType<Partial<Preferences>, string | undefined, string>
  monthly_limit_micros: number | null
  /** Of the account that holds the objects of test keys: whose keys they are. */
  test_of: string | null
}

interface IdentitiesTable {
  provider: 'github' | 'google'
  subject: string
  account_id: string
  email: string | null
  email_verified: boolean
  created_at: Defaulted<Date>
}

interface SignInsTable {
  state_sha256: Buffer
  provider: 'github' | 'google'
  cookie_sha256: Buffer
  code_verifier: string
  nonce: string | null
  frontend_url: string
  expires_at: Timestamp
}

interface SessionsTable {
  id: Generated<string>
  account_id: string
  token_sha256: Buffer
  kind: 'redirect' | 'session'
  provider: string
  created_at: Defaulted<Date>
  expires_at: Timestamp
  last_used_at: Defaulted<Date>
  user_agent: string | null
  address: string | null
  browser_sha256: ColumnType<Buffer | null, Buffer | null | undefined, never>
}

interface IdempotentRequestsTable {
  account_id: string
  key_sha256: string
  body_sha256: Buffer
  answer: Buffer | null
  created_at: Defaulted<Date>
  effect_id: Defaulted<string>
}

interface SigningKeysTable {
  name: string
  key: Buffer
  created_at: Defaulted<Date>
}

interface ApiKeysTable {
  id: Generated<string>
  account_id: string
  name: string
  key_sha256: Buffer
  hint: string
  created_at: Defaulted<Date>
  last_used_at: Date | null
  last_used_address: string | null
  expires_at: Timestamp
  scopes: Scope[] | null
  spend_limit_micros: number | null
  spend_limit_period: 'month' | 'total' | null
  allowed_addresses: string[] | null
  /** Of a test key: the account that holds its objects. */
  test_account_id: string | null
}

interface OauthClientsTable {
  id: Generated<string>
  name: string
  redirect_uris: string[]
  created_at: Defaulted<Date>
  last_used_at: Defaulted<Date>
}

interface OauthCodesTable {
  code_sha256: Buffer
  client_id: string
  account_id: string
  redirect_uri: string
  challenge: string
  scopes: Scope[]
  monthly_limit_micros: number
  expires_at: Timestamp
  used_at: Timestamp | null
  key_id: string | null
}

interface SpendsTable {
  job_id: string
  account_id: string
  key_id: string | null
  /** yyyy-mm-dd, the first of a month. */
  month: ColumnType<Date, string, never>
  micros: number
}

interface AuditEntriesTable {
  id: Generated<number>
  account_id: string
  action: string
  actor_kind: 'session' | 'key'
  actor_id: string
  address: string
  object_id: string | null
  at: Timestamp
  /** Null: the call is under way, or its process did not live to close the entry. */
  ended_at: Timestamp | null
}

interface WebhookEndpointsTable {
  id: Generated<string>
  account_id: string
  url: string
  description: string
  events: WebhookEvent[]
  secret: Buffer
  previous_secret: Buffer | null
  previous_until: Date | null
  enabled: Defaulted<boolean>
  off_reason: string | null
  failing_since: Date | null
  created_at: Timestamp
}

interface WebhookEventsTable {
  id: string
  account_id: string
  type: string
  object_id: string
  body: string
  created_at: Timestamp
}

interface WebhookDeliveriesTable {
  id: Generated<string>
  seq: Generated<number>
  endpoint_id: string
  event_id: string
  object_id: string
  state: 'waiting' | 'delivered' | 'failed'
  tries: Defaulted<number>
  next_at: Timestamp
  claimed_until: Date | null
  created_at: Timestamp
  ended_at: Date | null
}

interface WebhookAttemptsTable {
  id: Generated<number>
  delivery_id: string
  at: Timestamp
  ms: number
  status: number | null
  answer: string
}

interface WebhookSaltsTable {
  name: string
  salt: Buffer
}

interface ProjectsTable {
  id: Generated<string>
  account_id: string
  name: string
  colour: Defaulted<Project['colour']>
  note: Defaulted<string>
  frame_rate: string | null
  drop_frame: Defaulted<boolean>
  start_timecode: string | null
  media_folder: string | null
  vocabulary: ColumnType<string[], string | undefined, string>
  created_at: Timestamp
  updated_at: Timestamp
}

interface ContentTable {
  id: Generated<string>
  account_id: string
  project_id: string | null
  content_type: 'upload' | 'youtube' | 'url'
  file_name: string
  canonical_url: string
  storage_key: string | null
  thumbnail_key: string | null
  file_size: number | null
  sha256: Buffer | null
  mime_type: string | null
  media: ColumnType<Media | null, string | null, string | null>
  check_state: 'ready' | 'checking' | 'unreachable' | 'not_media' | 'refused'
  check_message: string | null
  created_at: Timestamp
  last_used_at: Timestamp
}

interface ContentResumablesTable {
  id: string
  account_id: string
  project_id: string | null
  file_name: string
  mime_type: string | null
  size_bytes: number
  offset_bytes: Defaulted<number>
  finishing_until: Date | null
  content_id: string | null
  storage_key: string | null
  multipart_id: string | null
  next_part: Defaulted<number>
  created_at: Timestamp
  expires_at: Timestamp
}

interface ContentMultipartsTable {
  resumable_id: string
  part_number: number
  offset_bytes: number
  size_bytes: number
  etag: string
}

interface ContentPartsTable {
  resumable_id: string
  offset_bytes: number
  size_bytes: number
  storage_key: string
}

interface ContentReservationsTable {
  id: string
  account_id: string
  bytes: number
  expires_at: Timestamp
}

interface PaymentCustomersTable {
  account_id: string
  customer_id: string
  created_at: Timestamp
}

interface PurchasesTable {
  id: Generated<string>
  account_id: string
  package_id: string
  package_name: string
  price_micros: number
  bonus_micros: number
  bonus_percent: number
  status: 'pending' | 'credited' | 'canceled'
  checkout_session_id: string | null
  payment_intent_id: string | null
  refunded_micros: Defaulted<number>
  disputed_micros: Defaulted<number>
  reversals_seen_at: Defaulted<Date>
  created_at: Timestamp
  settled_at: Date | null
  checked_at: Date | null
}

interface PaymentEventsTable {
  event_id: string
  type: string
  object_id: string | null
  received_at: Timestamp
  processed_at: Date | null
  outcome: string | null
  tries: Defaulted<number>
  last_error: string | null
  next_try_at: Timestamp | null
  dead_at: Timestamp | null
}

interface ProviderMovementsTable {
  id: string
  moved_at: Timestamp
  payment_intent_id: string | null
  amount_micros: number
  is_marked: boolean
}

interface CardsTable {
  id: Generated<string>
  account_id: string
  payment_method_id: string
  fingerprint: string
  brand: string
  last4: string
  exp_month: number
  exp_year: number
  is_default: boolean
  created_at: Timestamp
}

interface ReloadsTable {
  id: Generated<string>
  account_id: string
  package_id: string
  package_name: string
  price_micros: number
  bonus_micros: number
  bonus_percent: number
  customer_id: string
  card_id: string
  payment_method_id: string
  status: 'pending' | 'credited' | 'declined'
  payment_intent_id: string | null
  decline_code: string | null
  refunded_micros: Defaulted<number>
  disputed_micros: Defaulted<number>
  reversals_seen_at: Defaulted<Date>
  created_at: Timestamp
  settled_at: Date | null
}

interface AutoReloadStatesTable {
  account_id: string
  declines_in_a_row: Defaulted<number>
  declined_card_id: string | null
  not_before: Date | null
  recheck_at: Date | null
}

interface JobsTable {
  id: Generated<string>
  seq: Generated<number>
  account_id: string
  status: 'queued' | 'processing' | 'running' | 'completed' | 'failed' | 'canceled'
  /** A sync's work is a job too; whatever shows jobs leaves it out. */
  kind: Defaulted<'analysis' | 'sync'>
  batch_id: string | null
  content_id: string | null
  content_url: string
  content_name: string
  content_sha256: string | null
  media: Json<Media | null>
  workflow: string
  vocabulary: ColumnType<string[], string | undefined, never>
  speakers: number | null
  language: SpokenLanguage | null
  translate: Generated<boolean>
  in_seconds: number | null
  out_seconds: number | null
  price_version: string
  quoted_seconds: number
  media_seconds: number
  held_micros: number
  cost_micros: Defaulted<number>
  seconds: number | null
  partial: Defaulted<boolean>
  error_code: RefusalCode | null
  error_message: string | null
  review: Json<Review | null>
  review_version: Generated<number>
  retry_of: string | null
  key_id: string | null
  created_at: Timestamp
  started_at: Timestamp | null
  finished_at: Timestamp | null
  turn: number | null
  attempt: Defaulted<number>
  deaths: Defaulted<number>
  claimed_at: Timestamp | null
  fence: Defaulted<number>
  leased_until: Timestamp | null
  not_before: Timestamp | null
  last_fault: string | null
  /** `parts`: others measure its parts; `join`: they are done. */
  stage: Defaulted<'whole' | 'parts' | 'judge' | 'join'>
  left_parts: Defaulted<number>
  is_indivisible: Defaulted<boolean>
  measures_version: Defaulted<number>
}

interface JobPartsTable {
  id: Generated<string>
  seq: Generated<number>
  job_id: string
  account_id: string
  kind: 'prepare' | 'sound' | 'proxy' | 'voices' | 'pictures' | 'speech'
  position: number
  status: 'waiting' | 'leased' | 'done'
  seconds: number
  progress: Defaulted<number>
  turn: number
  attempt: Defaulted<number>
  deaths: Defaulted<number>
  fence: Defaulted<number>
  leased_until: Timestamp | null
  not_before: Timestamp | null
  last_fault: string | null
}

interface JobPartFilesTable {
  part_id: string
  name: string
  storage_key: string
  bytes: number
}

interface JobReadsTable {
  job_id: string
  extractor: ExtractorId
  account_id: string
  share: number
  parts: Defaulted<number[]>
  read_at: Date
  paid_micros: number | null
}

interface JobItemsTable {
  job_id: string
  position: number
  content_id: string
  content_url: string
  content_name: string
  content_sha256: string | null
  media: Json<Media>
  seconds: number
  quoted_micros: number
  /** Base64, as soon as the sound was read. */
  waveform: string | null
}

interface SyncsTable {
  id: string
  account_id: string
  name: string
}

interface SyncPlacementsTable {
  sync_id: string
  content_id: string
  group_number: number
  offset_time: string
  is_reference: Defaulted<boolean>
}

interface JobExtractorsTable {
  job_id: string
  /** Of a sync's job: `sync`, which nothing that reads analyses meets. */
  extractor: ColumnType<ExtractorId, ExtractorId | 'sync', ExtractorId | 'sync'>
  position: number
  status: 'waiting' | 'running' | 'done' | 'skipped' | 'failed' | 'reused'
  progress: Defaulted<number>
  micros_per_second: number
  quoted_micros: number
  seconds: number | null
  cost_micros: Defaulted<number>
  warning: string | null
  error_code: RefusalCode | null
  error_message: string | null
  result_id: string | null
}

interface JobResultsTable {
  id: Generated<string>
  account_id: string
  content_sha256: string
  extractor: ColumnType<ExtractorId, ExtractorId | 'sync', ExtractorId | 'sync'>
  version: string
  params: string
  findings: Json<unknown>
  media: Json<Media>
  seconds: number
  created_at: Timestamp
}

interface JobResultFilesTable {
  result_id: string
  name: string
  storage_key: string
  bytes: number
}

interface UnownedObjectsTable {
  storage_key: string
  due_at: Timestamp
  writer: string | null
}

interface JobShelvesTable {
  id: Generated<number>
  account_id: string
}

interface JobPassagesTable {
  id: Generated<number>
  result_id: string
  account_id: string
  kind: 'word' | 'shot' | 'talking' | 'cutpoint' | 'text' | 'screen'
  start_frame: number
  end_frame: number
  start_seconds: number
  text: string
  words: Json<[number, number, number][] | null>
  shelf: number
}

interface JobCorrectionsTable {
  account_id: string
  content_sha256: string
  params: string
  version: number
  corrections: ColumnType<Corrections, string, never>
  saved_at: Timestamp
}

/** A view; nothing writes it. */
interface ContentAnalysisView {
  content_id: string
  extractor: ExtractorId
  job_id: string
  progress: number
  error_message: string | null
  state: 'running' | 'done' | 'skipped' | 'failed'
  account_id: string
}

interface KeySpendLimitsView {
  key_id: string
  limit_micros: number
  period: 'month' | 'total'
}

interface ProjectItemsView {
  account_id: string
  project_id: string | null
  item_count: number
  seconds: number
}

interface BatchTotalsView {
  id: string
  account_id: string
  created_at: Date
  canceled_at: Date | null
  finished_at: Date | null
  jobs: number
  completed: number
  cost_micros: number
}

interface BatchesTable {
  id: string
  account_id: string
  workflow: string
  open_jobs: number
  canceled_at: Date | null
  created_at: Timestamp
  finished_at: Date | null
}

interface CutsTable {
  id: Generated<string>
  account_id: string
  project_id: string | null
  name: string
  version: number
  range_count: number
  frames: number
  seconds: number
  created_at: Timestamp
  updated_at: Timestamp
}

/** What is known of a clip when a cut is saved, so that it stays in the cut after its deletion. */
export interface SavedSource {
  content_id: string
  name: string
  sha256: string | null
  media: Media
}

export interface CutDocument extends Pick<
  Cut,
  'name' | 'frame_rate' | 'drop_frame' | 'start_timecode' | 'target_seconds' | 'ranges'
> {
  /** Missing in versions that are older than it. */
  frame_size?: Cut['frame_size']
  sources: SavedSource[]
  frames: number
}

interface CutVersionsTable {
  cut_id: string
  version: number
  document: ColumnType<CutDocument, string, never>
  saved_at: Timestamp
}

interface SignInPlacesTable {
  account_id: string
  place_sha256: Buffer
  last_seen_at: Timestamp
}

interface MailsTable {
  id: Generated<string>
  account_id: string
  kind: MailKind | 'requested'
  cause: string
  /** A MailContent of server/mail/content.ts. */
  content: ColumnType<object, string, never>
  created_at: Timestamp
  tries: Defaulted<number>
  next_try_at: Timestamp
  last_error: string | null
  outcome: 'sent' | 'unwanted' | 'dead' | null
  ended_at: Timestamp | null
}

interface MailChoicesTable {
  account_id: string
  kind: MailKind
  wanted: boolean
  chosen_at: Timestamp
}

interface SharesTable {
  id: Generated<string>
  account_id: string
  token_sha256: Buffer
  cut_id: string | null
  job_id: string | null
  password_hash: string | null
  expires_at: Timestamp
  revoked_at: Timestamp | null
  created_at: Timestamp
}

interface ShareCommentsTable {
  id: Generated<string>
  share_id: string
  account_id: string
  reply_to: string | null
  name: string
  text: string
  at_frame: number
  out_frame: number | null
  version: number
  is_editor: boolean
  device_sha256: Buffer | null
  done_at: Timestamp | null
  created_at: Timestamp
  edited_at: Timestamp | null
}

interface ShareReadersTable {
  share_id: string
  network_sha256: Buffer
}

interface ShareDaysTable {
  account_id: string
  day: string
  seconds: number
}

interface ShareProxiesTable {
  id: Generated<string>
  share_id: string
  version: number
  plan: Json<Omit<RenderOrder, 'workDir'>>
  plan_sha256: Buffer
  seconds: number
  state: ShareProxyState['state']
  progress: Generated<number>
  bytes: Generated<number>
  made: Json<RenderedProxy | null>
  attempt: Generated<number>
  fence: Generated<number>
  leased_until: Timestamp | null
  began_at: Timestamp | null
  last_fault: string | null
  created_at: Timestamp
}

interface ShareProxyFilesTable {
  proxy_id: string
  name: string
  storage_key: string
  bytes: number
}

interface BillingDetailsTable {
  account_id: string
  company: BillingDetails['company']
  address: BillingDetails['address']
  country: BillingDetails['country']
  vat_id: BillingDetails['vat_id']
  updated_at: Timestamp
}

interface PaperCountersTable {
  series: string
  last: number
}

interface PapersTable {
  number: string
  series: string | null
  ordinal: number | null
  kind: Paper['kind']
  account_id: string
  transaction_id: string
  corrects: string | null
  issued_at: Timestamp
  package_name: string
  amount_micros: number
  bonus_micros: number
  tax_micros: number | null
  card_brand: string | null
  card_last4: string | null
  is_auto_reload: boolean
  reference: string
  buyer: ColumnType<Paper['buyer'], string, string>
  seller: ColumnType<Paper['seller'], string, never>
}

interface DataExportsTable {
  id: Generated<string>
  account_id: string
  status: 'queued' | 'ready'
  storage_key: string | null
  size_bytes: number | null
  created_at: Timestamp
  expires_at: Timestamp | null
}
