/**
 * A look at a local file: what it is, by the engine's probe, and a still of it. Files nobody can
 * analyse are welcome in a library; the look says why. Looks run in processes, as many at once as
 * there are cores, so that neither the event loop nor a crowd of uploads starves the others.
 */
import { availableParallelism } from 'node:os'
import * as z from 'zod'
import { isMediaName, isSidecar } from '../../domain/file-kinds.ts'
import { Media } from '../../domain/findings/findings.ts'
import type { SoundOrigin } from '../../engine/media/sound-part.ts'
import { Bytes } from '../../engine/processes/process.ts'
import { keepForContext } from '../ground/context.ts'
import type { Context } from '../ground/context.ts'
import { refuseUnlocked } from '../ground/isolation.ts'
import { createProcessPool, OrderKilled } from '../ground/process-pool.ts'
import type { ProcessPool } from '../ground/process-pool.ts'
import { createFairQueue } from '../ground/fair-queue.ts'
import type { FairQueue } from '../ground/fair-queue.ts'
import { Refusal } from '../ground/refusal.ts'

export interface LookOrder {
  path: string
  /** Limit on reading packets for exact times; after that, the header is trusted. */
  scanMs?: number | undefined
  /** Longer media is not looked at further. */
  maxMediaSeconds: number
  /** True if a still is needed. */
  still: boolean
}

/** A moment of the sound of a file; `origin` where an earlier order found it. */
export interface HearOrder {
  path: string
  part: { start: number; seconds: number }
  origin: SoundOrigin | undefined
}

const LookOutcome = z.discriminatedUnion('status', [
  z.object({ status: z.literal('seen'), media: Media, still: Bytes.nullable() }),
  z.object({
    status: z.literal('refused'),
    code: z.enum(['probe_failed', 'too_large', 'unsupported_source', 'timeout', 'canceled']),
    message: z.string(),
  }),
  z.object({ status: z.literal('too_long') }),
  z.object({
    status: z.literal('heard'),
    samples: Bytes,
    origin: z.object({ stream: z.int(), startSeconds: z.number() }),
  }),
  z.object({ status: z.literal('silent') }),
])
export type LookOutcome = z.infer<typeof LookOutcome>

export interface Look {
  media: Media | null
  state: 'ready' | 'not_media' | 'refused'
  message: string | null
  still: Uint8Array | null
}

const standardScanMs = 15_000

export interface MeasuredAddress {
  media: Media
  sha256: string | null
}

/** Counted in this process, as the rate limit is. */
export const probesOf = keepForContext(
  () => ({
    files: openFileProbes(),
    /** Turns in which an account's addresses are probed. */
    turns: openAddressTurns(),
    /** Quoted lately, by account and address. */
    addresses: new Map<string, { look: Promise<MeasuredAddress>; atMs: number }>(),
  }),
  ({ files }) => files.close(),
)

function openFileProbes(): ProcessPool<LookOrder | HearOrder, LookOutcome> {
  return createProcessPool({
    entry: new URL('./look-process.ts', import.meta.url),
    outcome: LookOutcome,
    processes: Math.max(2, availableParallelism()),
    // The tools that a look starts have limits of their own, which add up to less.
    maxMs: 120_000,
    maxHeapMiB: 512,
    // An upload waits for its look: the rate limit and the quota say how many there can be.
    maxOfAccount: 1000,
    maxOrders: 10_000,
    sentences: {
      account: 'Too many of your files are being checked. Please wait for some of them.',
      all: 'Too many files are being checked right now. Please try again in a minute.',
    },
  })
}

/**
 * Looks at addresses, for a quote or for the library, fetch from wherever a user says: megabytes
 * nearly always, a whole file now and then. So an account has a few of them at once, more wait for
 * their turn, and a flood is refused.
 */
function openAddressTurns(): FairQueue {
  return createFairQueue({
    atOnce: 4,
    maxWaiting: 50,
    tooMany: () =>
      new Refusal(
        'rate_limited',
        'Too many URLs are being checked. Please wait for some to finish, then try again.',
        { retryAfterSeconds: 10 },
      ),
  })
}

export async function lookAtFile(
  ctx: Context,
  accountId: string,
  path: string,
  { scanMs = standardScanMs }: { scanMs?: number } = {},
): Promise<Look> {
  refuseUnlocked(ctx.isolation)
  const { maxMediaSeconds } = ctx.config.limits
  const outcome = await runLook(ctx, accountId, { path, scanMs, maxMediaSeconds, still: true })
  if (outcome.status === 'refused') {
    return { media: null, state: 'refused', message: outcome.message, still: null }
  }
  if (outcome.status !== 'seen') {
    const hours = Math.round((maxMediaSeconds / 3600) * 10) / 10
    throw new Refusal('too_long', `The media is longer than ${hours} hours, the limit here.`)
  }
  const { media, still } = outcome
  const isKnown = media.kind !== 'other'
  return {
    media,
    state: isKnown ? 'ready' : 'not_media',
    message: isKnown
      ? null
      : 'We can’t read this file. Use video, audio, an image, or a PDF, DOCX, HTML or text file.',
    still,
  }
}

/** Adds the name's verdict: a camera's sidecar is no document, damaged footage is no success. */
export function judgeByName(look: Look, fileName: string): Look {
  const unread = { media: look.media && { ...look.media, kind: 'other' as const }, still: null }
  if (isSidecar(fileName)) {
    return {
      ...unread,
      state: 'not_media',
      message: 'A camera wrote this beside a clip. Analyse the clip instead.',
    }
  }
  const kind = look.media?.kind
  if (look.state === 'refused' || !isMediaName(fileName)) return look
  if (kind !== 'other' && kind !== 'document') return look
  const message = 'This file is damaged or incomplete. Copy it from the card again, then retry.'
  return { ...unread, state: 'refused', message }
}

/** Probes a file without a still, for its price or for a job. */
export async function measureFile(
  ctx: Context,
  accountId: string,
  path: string,
  signal: AbortSignal,
): Promise<Media> {
  refuseUnlocked(ctx.isolation)
  const order = { path, maxMediaSeconds: Infinity, still: false }
  const outcome = await runLook(ctx, accountId, order, signal)
  if (outcome.status === 'seen') return outcome.media
  if (outcome.status === 'refused') throw new Refusal(outcome.code, outcome.message)
  throw new Error('No media is longer than this limit.')
}

/** Positions of the sound in files, kept for the next requests because finding one takes a scan. */
const origins = new Map<string, HearOrder['origin']>()
const maxOrigins = 500

/** Samples of 16 bits; null where the file has no sound. `key` names the bytes. */
export async function hearFile(
  ctx: Context,
  accountId: string,
  { path, key, part }: { path: string; key: string; part: HearOrder['part'] },
): Promise<Uint8Array | null> {
  refuseUnlocked(ctx.isolation)
  const outcome = await runLook(ctx, accountId, { path, part, origin: origins.get(key) })
  if (outcome.status === 'refused') throw new Refusal(outcome.code, outcome.message)
  if (outcome.status !== 'heard') return null
  origins.set(key, outcome.origin)
  if (origins.size > maxOrigins) origins.delete(origins.keys().next().value ?? '')
  return outcome.samples
}

async function runLook(
  ctx: Context,
  accountId: string,
  order: LookOrder | HearOrder,
  signal?: AbortSignal,
): Promise<LookOutcome> {
  try {
    return await probesOf(ctx).files.run(accountId, order, signal)
  } catch (error) {
    if (!(error instanceof OrderKilled)) throw error
    if (signal?.aborted) throw new Refusal('canceled', 'The probe was canceled.')
    ctx.log.warn({ err: error, accountId }, 'look killed')
    const message = 'This file takes too much time or memory to read.'
    return { status: 'refused', code: 'timeout', message }
  }
}
