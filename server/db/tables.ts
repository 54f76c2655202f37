/** The columns of every table as kysely sees them; each noun is the only writer of its tables. */
import type { ColumnType, Generated } from 'kysely'
import type { Media } from '../../contract/findings.ts'

export interface Tables {
  accounts: AccountsTable
  identities: IdentitiesTable
  sign_ins: SignInsTable
  sessions: SessionsTable
  idempotent_requests: IdempotentRequestsTable
  signing_keys: SigningKeysTable
  api_keys: ApiKeysTable
  content: ContentTable
  content_garbage: ContentGarbageTable
  content_resumables: ContentResumablesTable
  content_parts: ContentPartsTable
}

type Timestamp = ColumnType<Date, Date | string, Date | string>
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
}

interface IdempotentRequestsTable {
  account_id: string
  key_sha256: string
  body_sha256: Buffer
  answer: Buffer | null
  created_at: Defaulted<Date>
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
  expires_at: Timestamp
}

interface ContentTable {
  id: Generated<string>
  account_id: string
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

interface ContentGarbageTable {
  storage_key: string
  due_at: Timestamp
}

interface ContentResumablesTable {
  id: string
  account_id: string
  file_name: string
  mime_type: string | null
  size_bytes: number
  offset_bytes: Defaulted<number>
  finishing_until: Date | null
  content_id: string | null
  created_at: Timestamp
  expires_at: Timestamp
}

interface ContentPartsTable {
  resumable_id: string
  offset_bytes: number
  size_bytes: number
  storage_key: string
}
