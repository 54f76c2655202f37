/**
 * Visible text: lines with their place and frames, and slates with their fields and the frame of
 * the clap. The pass samples grey frames and a process of its own reads those with new text; the
 * readings become lines and slates here.
 */
import { formatRational, toNumber } from '../../domain/time/rational.ts'
import type { FindingsOf } from '../../domain/findings/findings.ts'
import { clipNameOf } from '../../domain/findings/slates.ts'
import type { BlockMotion } from '../text/block-motion.ts'
import { findClap } from '../text/clap.ts'
import { joinLines } from '../text/lines.ts'
import { findSlates } from '../text/group-slates.ts'
import type { TextReadings } from '../text/text-process.ts'
import { spanOf } from '../time/clock.ts'
import type { FrameClock } from '../time/clock.ts'

type Text = FindingsOf<'text'>
type Slate = Text['slates'][number]

export async function findText(input: {
  clock: FrameClock
  readings: TextReadings
  motion: BlockMotion | null
  /** First frames of new shots. */
  cuts: readonly number[]
  sound: { file: string; samples: number } | null
  signal?: AbortSignal
}): Promise<Text> {
  const { clock, readings, motion, cuts, sound, signal } = input
  const { frames } = clock
  const context = { frames, framesPerSecond: toNumber(clock.rate), cuts, motion }
  const slates: Slate[] = []
  for (const result of findSlates(readings, context)) {
    signal?.throwIfAborted()
    const clap = await findClap({ ...result, clock, sound, motion })
    const { fields, box, confidence } = result
    slates.push({
      ...spanOf(clock, result.startFrame, result.endFrame),
      ...fields,
      clip_name: clipNameOf(fields),
      box,
      confidence,
      clap: clap
        ? {
            frame: clap.frame,
            time: formatRational(clock.timeOf(clap.frame)),
            seconds: toNumber(clock.timeOf(clap.frame)),
            confidence: clap.confidence,
            heard: clap.heard,
            seen: clap.seen,
          }
        : null,
    })
  }
  const lines = joinLines(readings, context).map((line) => ({
    ...spanOf(clock, line.startFrame, line.endFrame),
    text: line.text,
    confidence: line.confidence,
    box: line.box,
    on_slate: isOnSlate(line, slates),
  }))
  return { lines, slates, frames_read: readings.readings.length }
}

/** True if the line overlaps a slate in time and position. */
function isOnSlate(
  line: { startFrame: number; endFrame: number; box: Slate['box'] },
  slates: readonly Slate[],
): boolean {
  return slates.some(({ start_frame: start, end_frame: end, box }) => {
    const x = line.box.x + line.box.width / 2
    const y = line.box.y + line.box.height / 2
    const isInside = x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height
    return isInside && line.startFrame < end && line.endFrame > start
  })
}
