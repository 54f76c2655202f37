/**
 * Erases a person, as the privacy policy promises: everything but the transactions, which the law
 * keeps for seven years under an account that no longer names anybody. Each step may be repeated,
 * and the name goes last, so that an interrupted erasure is found again by the same address.
 */
import { anonymiseAccount, closeAccount } from '../accounts/erase.ts'
import { findTestAccount } from '../accounts/test-account.ts'
import { eraseContent } from '../content/erase.ts'
import type { Context } from '../ground/context.ts'
import { eraseCorrections } from '../findings/erase-corrections.ts'
import { eraseJobs } from '../jobs/erase.ts'
import { eraseUploads } from '../uploads/erase.ts'
import { eraseMail } from '../mail/operate.ts'
import { eraseInvoices } from '../invoices/erase.ts'
import { erasePayments } from '../payments/erase.ts'
import { eraseProjects } from '../projects/delete.ts'
import { eraseQuickProxies } from '../playback/quick-proxies.ts'
import { eraseDataExports } from './data-export.ts'
import { eraseWebhooks } from '../webhooks/delete.ts'
import { eraseBatches } from '../batches/erase.ts'
import { eraseCuts } from '../cuts/delete.ts'
import { eraseShares } from '../shares/links.ts'

export async function eraseAccount(
  ctx: Context,
  accountId: string,
): Promise<{ accountId: string; jobs: number; content: number }> {
  const twin = await findTestAccount(ctx.db, accountId)
  if (twin) await eraseAccount(ctx, twin)
  await closeAccount(ctx, accountId)
  // Only now: until the account is closed another key can be made.
  await ctx.db.deleteFrom('api_keys').where('account_id', '=', accountId).execute()
  await ctx.db.deleteFrom('oauth_codes').where('account_id', '=', accountId).execute()
  await eraseWebhooks(ctx, accountId)
  await ctx.db.deleteFrom('audit_entries').where('account_id', '=', accountId).execute()
  await ctx.db.deleteFrom('spends').where('account_id', '=', accountId).execute()
  await ctx.db.deleteFrom('idempotent_requests').where('account_id', '=', accountId).execute()
  // Auto-reload is off before jobs end, since the end of a job may ask for a reload.
  await erasePayments(ctx, accountId)
  await eraseShares(ctx, accountId)
  const jobs = await eraseJobs(ctx, accountId)
  await eraseCorrections(ctx, accountId)
  await eraseBatches(ctx, accountId)
  await eraseCuts(ctx, accountId)
  await eraseUploads(ctx, accountId)
  await eraseQuickProxies(ctx, accountId)
  const content = await eraseContent(ctx, accountId)
  await eraseProjects(ctx, accountId)
  await eraseDataExports(ctx, accountId)
  await eraseInvoices(ctx, accountId)
  await eraseMail(ctx, accountId)
  await anonymiseAccount(ctx, accountId)
  return { accountId, jobs, content }
}
