/**
 * A look at a local file: what it is, by the engine's probe, and a still of it. Files nobody can
 * analyse are welcome in a library; the look says why. Only as many looks run at once as there are
 * cores, so that a crowd of uploads does not starve the machine.
 */
import { availableParallelism } from 'node:os'
import type { Media } from '../../contract/findings.ts'
import { probe } from '../../engine/probe.ts'
import { makeStill } from '../../engine/media/still.ts'
import type { Context } from '../process/context.ts'
import { refuseUnlocked } from '../process/isolation.ts'
import { Refusal } from '../refusal.ts'

export interface Look {
  media: Media | null
  state: 'ready' | 'not_media' | 'refused'
  message: string | null
  still: Buffer | null
}

/** How long packets are read for exact times before the header's word is taken. */
const scanMs = 15_000

export async function lookAtFile(
  ctx: Context,
  path: string,
  options: { signal?: AbortSignal; scanMs?: number } = {},
): Promise<Look> {
  refuseUnlocked(ctx.isolation)
  return inTurn(async () => {
    const outcome = await probe(path, { scanMs, ...options })
    if (outcome.status === 'refused') {
      return { media: null, state: 'refused', message: outcome.message, still: null }
    }
    const { media } = outcome
    const { maxMediaSeconds } = ctx.config.limits
    if (media.duration > maxMediaSeconds) {
      const hours = Math.round((maxMediaSeconds / 3600) * 10) / 10
      throw new Refusal('too_long', `The media is longer than ${hours} hours, the limit here.`)
    }
    const still = await makeStill(path, media, options)
    const isKnown = media.kind !== 'other'
    return {
      media,
      state: isKnown ? 'ready' : 'not_media',
      message: isKnown
        ? null
        : 'We can’t read this file. Use video, audio, an image or a document.',
      still,
    }
  })
}

const places = Math.max(2, availableParallelism())
let looking = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (looking >= places) await new Promise<void>((resolve) => waiting.push(resolve))
  else looking += 1
  try {
    return await work()
  } finally {
    // A place is handed on, so that nobody new slips in before the one who waits.
    const next = waiting.shift()
    if (next) next()
    else looking -= 1
  }
}
