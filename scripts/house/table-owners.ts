/** Which folders of the server own which tables, by the migration that creates them. */
import { globSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** Jobs are placed, run and read by five folders that share their tables. */
const ownersOfJobs = ['results', 'jobs', 'findings', 'work', 'runs'].map(
  (name) => `server/${name}/`,
)

const ownerOfMigration: Record<string, string[]> = {
  '0001_accounts.sql': ['server/accounts/', 'server/sign-in/'],
  '0002_house.sql': ['server/http/', 'server/ground/signing-key.ts'],
  '0010_ledger.sql': ['server/billing/'],
  '0016_projects.sql': ['server/projects/'],
  '0020_content.sql': ['server/content/', 'server/uploads/'],
  '0030_api_keys.sql': ['server/api-keys/'],
  '0040_payments.sql': ['server/payments/'],
  '0050_jobs.sql': ownersOfJobs,
  '0070_batches.sql': ['server/batches/'],
  '0080_cuts.sql': ['server/cuts/'],
  '0081_shares.sql': ['server/shares/'],
  '0126_job_kinds.sql': ownersOfJobs,
  '0127_syncs.sql': ['server/syncs/'],
  '0105_oauth.sql': ['server/oauth/'],
  '0113_content_uploads.sql': ['server/uploads/'],
  '0170_content_multiparts.sql': ['server/uploads/'],
  '0114_job_vocabulary.sql': ownersOfJobs,
  '0110_oauth_reuse.sql': ['server/oauth/'],
  '0090_analytics.sql': ['server/analytics/'],
  '0091_spends.sql': ['server/billing/'],
  '0092_key_options.sql': ['server/api-keys/'],
  '0095_mail.sql': ['server/mail/'],
  '0096_sign_in_places.sql': ['server/accounts/', 'server/sign-in/'],
  '0097_papers.sql': ['server/invoices/'],
  '0098_data_exports.sql': ['server/privacy/'],
  '0093_audit.sql': ['server/audit/'],
  '0106_audit_before.sql': ['server/audit/'],
  '0094_webhooks.sql': ['server/webhooks/'],
  '0120_comment_once.sql': ['server/shares/'],
  '0180_share_readers.sql': ['server/shares/'],
  '0180_share_proxies.sql': ['server/shares/'],
  '0181_job_reads.sql': ownersOfJobs,
  '0182_content_analysis_of_account.sql': ownersOfJobs,
  '0134_screen_text.sql': ownersOfJobs,
  '0138_search_by_account.sql': ownersOfJobs,
  '0140_job_item_waveforms.sql': ownersOfJobs,
  '0150_unowned_objects.sql': ['server/storage/'],
  '0151_job_language.sql': ownersOfJobs,
  '0160_job_parts.sql': ownersOfJobs,
  '0189_job_options.sql': ownersOfJobs,
  '0190_work.sql': ownersOfJobs,
  '0161_keeper.sql': ownersOfJobs,
  '0175_provider_movements.sql': ['server/payments/'],
  // Creates no table; each view says whose it is.
  '0190_views.sql': [],
}

export function ownerOf(migration: string): string[] | undefined {
  const exact = ownerOfMigration[migration]
  if (exact) return exact
  // A later migration of a noun shares the noun's tens: 0041 belongs to 0040's owner.
  const family = migration.slice(0, 3)
  return Object.entries(ownerOfMigration).find(([name]) => name.startsWith(family))?.[1]
}

/** The folders that own each table; the first is the one that others read it from. */
export function tableOwners(): Map<string, string[]> {
  const owners = new Map<string, string[]>()
  for (const file of globSync('server/db/migrations/*.sql', { cwd: root })) {
    const owner = ownerOf(basename(file)) ?? []
    for (const match of readFileSync(join(root, file), 'utf8').matchAll(
      /create table (?:if not exists )?(\w+)/gi,
    )) {
      owners.set(match[1] ?? '', owner)
    }
  }
  return owners
}
