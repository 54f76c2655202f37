/** Looks at files beside the event loop: everything that reads a stranger's bytes runs here. */
import { findSoundOrigin, readSoundPart } from '../../engine/media/sound-part.ts'
import { makeStill } from '../../engine/media/still.ts'
import { probe } from '../../engine/probe.ts'
import { serve } from '../../engine/processes/serve.ts'
import type { HearOrder, LookOrder, LookOutcome } from './look.ts'

serve({
  run: (order: LookOrder | HearOrder): Promise<LookOutcome> =>
    'part' in order ? hear(order) : look(order),
})

async function hear({ path, part, origin: known }: HearOrder): Promise<LookOutcome> {
  const origin = known ?? (await findSoundOrigin(path))
  if (!origin) return { status: 'silent' }
  return { status: 'heard', samples: await readSoundPart(path, origin, part), origin }
}

async function look({ path, scanMs, maxMediaSeconds, still }: LookOrder): Promise<LookOutcome> {
  const outcome = await probe(path, scanMs === undefined ? {} : { scanMs })
  if (outcome.status === 'refused') return outcome
  const { media } = outcome
  if (media.duration > maxMediaSeconds) return { status: 'too_long' }
  return { status: 'seen', media, still: still ? await makeStill(path, outcome) : null }
}
