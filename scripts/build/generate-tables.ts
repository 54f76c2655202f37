/** `npm run tables`: writes the columns of every table and view of a migrated database. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { openTestDatabase } from '../../test/support/database.ts'

export const tablesFile = join(import.meta.dirname, '../../server/ground/generated-tables.ts')

/** Types that the schema does not know: the shape of JSON, and words that no constraint lists. */
const typeOf: Record<string, string> = {
  'accounts.preferences': 'Partial<Preferences>',
  'api_keys.scopes': 'Scope[]',
  'clip_reviews.review': 'Review',
  'content.media': 'Media',
  'content_analysis.error_message': 'string | null',
  'content_analysis.extractor': 'ExtractorId',
  'content_analysis.state': "'running' | 'done' | 'skipped' | 'failed'",
  'content_counts.extractor': 'ExtractorId',
  'cut_versions.document': 'CutDocument',
  'bin_items.bin_id': 'string',
  'batch_totals.canceled_at': 'Date | null',
  'batch_totals.finished_at': 'Date | null',
  'job_corrections.corrections': 'Corrections',
  // A sync's job has an extractor of its own, which nothing that reads analyses meets.
  'job_extractors.extractor': "ColumnType<ExtractorId, ExtractorId | 'sync', ExtractorId | 'sync'>",
  'job_extractors.error_code': 'RefusalCode',
  'job_items.media': 'Media',
  'job_passages.kind': 'PassageKind',
  'job_passages.words': '[number, number, number][]',
  'job_reads.extractor': 'ExtractorId',
  'job_results.extractor': "ColumnType<ExtractorId, ExtractorId | 'sync', ExtractorId | 'sync'>",
  'job_results.findings': 'unknown',
  'job_results.media': 'Media',
  'jobs.error_code': 'RefusalCode',
  'jobs.media': 'Media',
  'jobs.options': 'PlacedOptions',
  'jobs.review': 'Review',
  'key_spend_limits.period': "'month' | 'total'",
  'ledger_transactions.metadata': 'unknown',
  'mail_choices.kind': 'MailKind',
  // A MailContent of server/mail/content.ts.
  'mails.content': 'object',
  'mails.kind': "MailKind | 'requested'",
  'oauth_codes.scopes': 'Scope[]',
  'invoices.buyer': "Invoice['buyer']",
  'invoices.seller': "Invoice['seller']",
  'project_items.project_id': 'string | null',
  'projects.colour': "Project['colour']",
  'projects.vocabulary': 'string[]',
  'share_proxies.made': 'RenderedProxy',
  'share_proxies.plan': "Omit<RenderOrder, 'workDir'>",
  'shared_comments.out_frame': 'number | null',
  'sign_ins.provider': "'github' | 'google'",
  'webhook_endpoints.events': 'WebhookEvent[]',
}

const imports = `import type { ColumnType } from 'kysely'
import type { Preferences } from '../../contract/account/accounts.ts'
import type { Invoice } from '../../contract/account/invoices.ts'
import type { Scope } from '../../contract/endpoint.ts'
import type { Project } from '../../contract/footage/projects.ts'
import type { Review } from '../../contract/footage/review.ts'
import type { RefusalCode } from '../../contract/refusal.ts'
import type { Corrections } from '../../domain/findings/corrections.ts'
import type { Media } from '../../domain/findings/findings.ts'
import type { PlacedOptions } from '../../domain/job-options.ts'
import type { MailKind } from '../../domain/mail-kinds.ts'
import type { ExtractorId, PassageKind, WebhookEvent } from '../../domain/money/catalogue.ts'
import type { RenderedProxy, RenderOrder } from '../../engine/render-proxy.ts'
import type { CutDocument } from './cut-document.ts'`

const types: Record<string, string> = {
  ...{ 'text[]': 'string[]', 'integer[]': 'number[]', bytea: 'Buffer', boolean: 'boolean' },
  ...{ text: 'string', uuid: 'string', bigint: 'number', integer: 'number', smallint: 'number' },
  ...{ 'double precision': 'number', real: 'number', json: 'Json', jsonb: 'Json', date: 'string' },
  'timestamp with time zone': 'Timestamp',
}

interface Column {
  table: string
  name: string
  type: string
  isView: boolean
  isNull: boolean
  hasDefault: boolean
  /** The words that a constraint of this column alone lists. */
  words: string | null
}

const columnsSql = `
  select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type,
    c.relkind = 'v' as "isView", not a.attnotnull as "isNull",
    a.atthasdef or a.attidentity <> '' as "hasDefault",
    (select substring(pg_get_constraintdef(k.oid) from 'CHECK \\(\\(\\w+ = ANY \\(ARRAY\\[(.*)\\]')
      from pg_constraint k where k.conrelid = c.oid and k.contype = 'c'
        and k.conkey = array[a.attnum] and pg_get_constraintdef(k.oid) like '% = ANY %'
    ) as words
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') and a.attnum > 0
    and not a.attisdropped and a.attgenerated = ''
  order by c.relname, a.attnum`

export async function describeTables(pool: Pool): Promise<string> {
  const { rows } = await pool.query<Column>(columnsSql)
  const unknown = new Set(Object.keys(typeOf)).difference(
    new Set(rows.map(({ table, name }) => `${table}.${name}`)),
  )
  if (unknown.size > 0) throw new Error(`There are no such columns: ${[...unknown].join(', ')}`)
  const tables = [...Map.groupBy(rows, ({ table }) => table)].map(
    ([table, columns]) => `  ${table}: {\n${columns.map(memberOf).join('\n')}\n  }`,
  )
  return `/** Generated by \`npm run tables\` from the migrations; only its noun writes a table. */
${imports}

type Timestamp = ColumnType<Date, Date | string, Date | string>
/** JSON is sent as text, or an array would be taken for an SQL array. */
type Json<T> = ColumnType<T, string, string>
type Defaulted<T> = [T] extends [ColumnType<infer Read, infer Insert, infer Update>]
  ? ColumnType<Read, Insert | undefined, Update>
  : ColumnType<T, T | undefined, T>

export interface Tables {
${tables.join('\n')}
}
`
}

/** PostgreSQL takes every column of a view for one that may be null; here `typeOf` says it. */
function memberOf({ table, name, type, words, isView, isNull, hasDefault }: Column): string {
  const special =
    typeOf[`${table}.${name}`] ?? words?.replaceAll('::text', '').replaceAll(', ', ' | ')
  const base = types[type]
  if (!base || (base === 'Json' && !special)) {
    throw new Error(
      `Give the type of ${table}.${name} (${type}) in scripts/build/generate-tables.ts.`,
    )
  }
  const own = base === 'Json' ? `Json<${special}>` : (special ?? base)
  const read = isView && own === 'Timestamp' ? 'Date' : own
  const full = isNull && !isView ? `${read} | null` : read
  const member = `    ${name}: ${hasDefault ? `Defaulted<${full}>` : full}`
  if (member.length <= 100) return member
  // As the formatter breaks it.
  return member.replaceAll(/(:)? (?:\| )?(?=')/g, '$1\n      | ')
}

if (import.meta.main) {
  const database = await openTestDatabase()
  writeFileSync(tablesFile, await describeTables(database.pool))
  await database.close()
}
