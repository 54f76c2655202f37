/** Prices a sync: each item with sound by the second, rounded up. */
import { priceVersion, syncLimits, syncPrice } from '../../domain/money/catalogue.ts'
import { toUsd } from '../../domain/money/money.ts'
import { isTestAccount } from '../accounts/test-account.ts'
import { readBalance } from '../billing/balance.ts'
import { grantFreeCredit } from '../billing/grant.ts'
import { isSample } from '../uploads/sample.ts'
import type { SyncJobItem } from '../jobs/create.ts'
import { mediaSeconds } from '../jobs/price.ts'
import { quoteIdOf, quoteLifeMs } from '../jobs/quote-id.ts'
import { findSource } from '../jobs/source.ts'
import type { Context } from '../ground/context.ts'
import { Refusal } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'

export const quoteSync: Verb<'quoteSync'> = async (ctx, { accountId }, { body }) => {
  const items = await planSync(ctx, accountId, body.content_ids)
  const now = ctx.now()
  await grantFreeCredit(ctx.db, { accountId, now })
  const balance = await readBalance(ctx.db, { accountId, now })
  const totalMicros = items.reduce((sum, item) => sum + item.micros, 0)
  const expiresAt = new Date(now.getTime() + quoteLifeMs)
  const request = { content_ids: body.content_ids, workflow: syncPrice.id }
  return {
    quote: {
      id: await quoteIdOf(ctx, { accountId, request, maxMicros: totalMicros, expiresAt }),
      expires_at: expiresAt.toISOString(),
      lines: items.map(({ source, seconds, micros }) => ({
        content_id: source.contentId,
        name: source.name,
        seconds,
        usd: toUsd(micros),
        applies: source.media.audio.length > 0,
      })),
      usd_per_second: toUsd(syncPrice.microsPerSecond),
      seconds: items.reduce((sum, item) => sum + item.seconds, 0),
      total_usd: toUsd(totalMicros),
      available_usd: toUsd(balance.availableMicros),
      sufficient: balance.availableMicros >= totalMicros,
      price_version: priceVersion,
    },
  }
}

/** Refuses whatever can be refused before a hold, and prices each item. */
export async function planSync(
  ctx: Context,
  accountId: string,
  contentIds: readonly string[],
): Promise<SyncJobItem[]> {
  const isTest = await isTestAccount(ctx.db, accountId)
  const items: SyncJobItem[] = []
  for (const contentId of contentIds) {
    const source = await findSource(ctx, accountId, { content_id: contentId })
    const { media, name } = source
    if (media.kind !== 'video' && media.kind !== 'audio') {
      throw new Refusal(
        'unsupported_source',
        `${name} is neither video nor audio, so it has no sound to sync by.`,
      )
    }
    const length = mediaSeconds(media, {})
    const { maxMediaSeconds } = ctx.config.limits
    if (length > maxMediaSeconds) {
      const hours = Math.floor(maxMediaSeconds / 360) / 10
      throw new Refusal('too_long', `${name} is longer than ${hours} hours.`)
    }
    const seconds = media.audio.length > 0 ? length : 0
    const isFree = isTest || (await isSample(source.sha256))
    const micros = isFree ? 0 : seconds * syncPrice.microsPerSecond
    items.push({ source: { ...source, contentId }, seconds, micros })
  }
  // A timecode counts only where the sound of two others confirms it.
  if (items.filter(({ source }) => source.media.audio.length > 0).length < syncLimits.minItems) {
    throw new Refusal('unsupported_source', 'At least two items need sound to sync by.')
  }
  return items
}
