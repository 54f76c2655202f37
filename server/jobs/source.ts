/** The content that a job is about: described for a quote, brought to this machine for a run. */
import type { Media } from '../../domain/findings/findings.ts'
import { measureFile, probesOf } from '../content/look.ts'
import { openContent } from '../content/open.ts'
import type { OpenedContent } from '../content/open.ts'
import { storageFault } from '../storage/storage-fault.ts'
import type { Context } from '../ground/context.ts'
import type { MeasuredAddress } from '../content/look.ts'
import { Refusal } from '../ground/refusal.ts'

export interface Source {
  contentId: string | null
  url: string
  name: string
  /** Hex; null where the bytes are only known once they are fetched. */
  sha256: string | null
  media: Media
  /** Vocabulary of the content's project. */
  vocabulary: string[]
}

export interface OpenSource {
  path: string
  sha256: string
  media: Media
  release(): Promise<void>
}

/** Time limit for a quote that has to fetch a file. */
const lookLimitMs = 60_000
const lookLimitBytes = 1024 ** 3
/** Reuses a probe for a while, so that creating a job does not repeat the quote's. */
const looksFreshMs = 10 * 60_000
const maxLooks = 500

export async function findSource(
  ctx: Context,
  accountId: string,
  wanted: { content_id?: string | undefined; content_url?: string | undefined },
): Promise<Source> {
  const opened = await openContent(ctx, accountId, {
    contentId: wanted.content_id,
    contentUrl: wanted.content_url,
  })
  const known = { contentId: opened.contentId, url: opened.contentUrl, name: opened.name }
  const vocabulary = await readVocabulary(ctx, accountId, opened.contentId)
  if (opened.media) return { ...known, vocabulary, media: opened.media, sha256: opened.sha256 }
  const seen = await lookAt(ctx, accountId, opened)
  return { ...known, vocabulary, media: seen.media, sha256: seen.sha256 }
}

async function readVocabulary(
  ctx: Context,
  accountId: string,
  contentId: string | null,
): Promise<string[]> {
  if (contentId === null) return []
  const row = await ctx.db
    .selectFrom('content')
    .innerJoin('projects', 'projects.id', 'content.project_id')
    .select('projects.vocabulary')
    .where('content.id', '=', contentId)
    .where('content.account_id', '=', accountId)
    .executeTakeFirst()
  return row?.vocabulary ?? []
}

export async function openSource(
  ctx: Context,
  job: {
    accountId: string
    contentId: string | null
    contentUrl: string
    sha256: string | null
    media: Media | null
  },
  signal: AbortSignal,
): Promise<OpenSource> {
  const opened = await openContent(ctx, job.accountId, {
    contentId: job.contentId ?? undefined,
    contentUrl: job.contentUrl,
  }).catch((error: unknown) => {
    const isGone = error instanceof Refusal && error.code === 'not_found'
    throw isGone
      ? new Refusal('fetch_failed', 'The content was deleted before it was read.')
      : error
  })
  const file = await opened.localFile({ signal })
  try {
    const isAsQuoted = job.media !== null && job.sha256 === file.sha256
    const media =
      isAsQuoted && job.media ? job.media : await measureFile(ctx, job.accountId, file.path, signal)
    return { path: file.path, sha256: file.sha256, media, release: () => file.release() }
  } catch (error) {
    await file.release()
    throw error
  }
}

/** Measures the media at an address; two callers at once share one probe. */
function lookAt(ctx: Context, accountId: string, opened: OpenedContent): Promise<MeasuredAddress> {
  const looks = probesOf(ctx).addresses
  const key = `${accountId} ${opened.contentUrl}`
  const nowMs = Date.now()
  const earlier = looks.get(key)
  if (earlier && nowMs - earlier.atMs < looksFreshMs) return earlier.look
  const look = probesOf(ctx).turns.run(accountId, () => peekOrFetch(ctx, accountId, opened))
  looks.delete(key)
  looks.set(key, { look, atMs: nowMs })
  if (looks.size > maxLooks) looks.delete(looks.keys().next().value ?? '')
  look.catch((error: unknown) => {
    looks.delete(key)
    ctx.log.info({ code: error instanceof Refusal ? error.code : 'internal' }, 'look failed')
  })
  return look
}

/** Both ends of a file nearly always suffice; other files are fetched, if they are small enough. */
async function peekOrFetch(
  ctx: Context,
  accountId: string,
  opened: OpenedContent,
): Promise<MeasuredAddress> {
  const peek = await opened.peek()
  if (peek?.media) return { media: peek.media, sha256: peek.sha256 }
  if (peek && peek.state !== 'ready') {
    const code = peek.state === 'refused' ? 'probe_failed' : 'unsupported_source'
    throw new Refusal(code, peek.message ?? 'We can’t read what this URL returns.')
  }
  const signal = AbortSignal.timeout(lookLimitMs)
  const limits = { signal, maxBytes: lookLimitBytes }
  const file = await opened.localFile(limits).catch((error: unknown) => {
    const isTooLarge = error instanceof Refusal && error.code === 'too_large'
    throw signal.aborted || isTooLarge ? tooMuch() : storageFault(error)
  })
  try {
    return {
      media: await measureFile(ctx, accountId, file.path, signal),
      sha256: file.sha256,
    }
  } finally {
    await file.release()
  }
}

function tooMuch(): Refusal {
  return new Refusal(
    'fetch_failed',
    'We can’t tell how long this file is without downloading all of it. Please upload the file instead.',
  )
}
