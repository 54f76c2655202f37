/** A few seconds of an item's sound, for a screen that magnifies it or plays two at once. */
import { openContent } from '../content/open.ts'
import { hearFile } from '../content/look.ts'
import { notFound, Refusal } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'
import { findSync } from './read.ts'
import { waveFile } from './wave-file.ts'

export const getSyncSound: Verb<'getSyncSound'> = async (ctx, actor, { params, query }, call) => {
  const { accountId } = actor
  const row = await findSync(ctx.db, { id: params.id, accountId })
  if (!row) throw notFound('The sync')
  if (!row.items.some((item) => item.content_id === query.content_id)) {
    throw new Refusal('invalid', 'This item is not part of the sync.', { field: 'content_id' })
  }
  const opened = await openContent(ctx, accountId, { contentId: query.content_id })
  if (opened.kind !== 'upload' || opened.sha256 === null) {
    throw new Refusal('unsupported_source', 'Only uploads can be heard here, not addresses.')
  }
  const file = await opened.localFile()
  try {
    const part = { start: query.start, seconds: query.seconds }
    const samples = await hearFile(ctx, accountId, { path: file.path, key: opened.sha256, part })
    if (!samples) throw new Refusal('no_audio', `${opened.name} has no sound.`)
    await call.reply
      .header('cache-control', 'private, max-age=3600')
      .type('audio/wav')
      .send(waveFile(samples, rate))
  } finally {
    await file.release()
  }
}

const rate = 48_000
