/** `POST /content/reference`: an address joins the library, and what a look at it tells with it. */
import type { Context } from '../ground/context.ts'
import { probesOf } from './look.ts'
import type { Verb } from '../ground/verb.ts'
import { Refusal } from '../ground/refusal.ts'
import { normaliseAddress } from './address.ts'
import { cleanFileName } from './file-name.ts'
import { toContentItem } from './item.ts'
import type { ContentRow } from './item.ts'
import { lookAtAddress } from './look-at-address.ts'
import { uploadIdOf } from './open.ts'

const duplicateUrl = 'This URL already exists in your library'
const maxReferences = 10_000

export const addReference: Verb<'addReference'> = async (ctx, actor, { body }, { effectId }) => {
  if (uploadIdOf(ctx, body.url)) {
    throw new Refusal('invalid', 'This is a CutIndex download URL. Use the original file.')
  }
  const address = normaliseAddress(ctx.config, body.url)
  const added = await findKnown(ctx, actor.accountId, address.url)
  if (added && added.id === effectId) return { content: await toContentItem(ctx, actor, added) }
  if (added) throw new Refusal('duplicate', duplicateUrl, { content_id: added.id })
  await refuseTooMany(ctx, actor.accountId)
  const look = await probesOf(ctx).turns.run(actor.accountId, () =>
    lookAtAddress(ctx, actor.accountId, address),
  )
  const now = ctx.now()
  const row = await ctx.db
    .insertInto('content')
    .values({
      ...(effectId ? { id: effectId } : {}),
      account_id: actor.accountId,
      content_type: address.kind,
      file_name:
        cleanFileName(body.name, '') || cleanFileName(look.name, address.url.slice(0, 255)),
      canonical_url: address.url,
      file_size: look.sizeBytes,
      mime_type: look.mimeType,
      media: look.media && JSON.stringify(look.media),
      check_state: look.state,
      check_message: look.message,
      created_at: now,
      last_used_at: now,
      storage_key: null,
      thumbnail_key: null,
      sha256: null,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'canonical_url']).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) {
    const known = await findKnown(ctx, actor.accountId, address.url)
    throw new Refusal('duplicate', duplicateUrl, { content_id: known?.id })
  }
  return { content: await toContentItem(ctx, actor, row) }
}

/**
 * Checked before the fetch, so that a repeated address costs none; the index decides in the end.
 */
async function findKnown(
  ctx: Context,
  accountId: string,
  url: string,
): Promise<ContentRow | undefined> {
  return ctx.db
    .selectFrom('content')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('canonical_url', '=', url)
    .executeTakeFirst()
}

async function refuseTooMany(ctx: Context, accountId: string): Promise<void> {
  const { count } = await ctx.db
    .selectFrom('content')
    .where('account_id', '=', accountId)
    .where('content_type', '!=', 'upload')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count >= maxReferences) {
    throw new Refusal(
      'limit_reached',
      'Your library holds 10,000 addresses. Please delete some first.',
    )
  }
}
