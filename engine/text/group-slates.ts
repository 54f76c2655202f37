/**
 * Slates of a film: readings that look like one, close to each other, are the same slate, and each
 * of its fields is what most of its readings say.
 */
import type { TextReadings } from './text-process.ts'
import { boxOf } from './read-frame.ts'
import type { Part } from './block-motion.ts'
import { slateFields } from '../../domain/findings/slates.ts'
import type { SlateField } from '../../domain/findings/slates.ts'
import { isSlate, readSlate } from './read-slate.ts'
import type { SlateReading, SlateValue } from './read-slate.ts'

export interface FoundSlate {
  startFrame: number
  endFrame: number
  box: Part
  fields: Record<SlateField, SlateValue | null>
  confidence: number
}

/** Readings further apart than this are of two slates, unless their scene and take are the same. */
const apartSeconds = 4

interface Group {
  readings: { frame: number; slate: SlateReading; box: Part }[]
  firstFrame: number
  lastFrame: number
}

export function findSlates(
  input: TextReadings,
  context: { frames: number; framesPerSecond: number; cuts: readonly number[] },
): FoundSlate[] {
  const groups: Group[] = []
  for (const { frame, lines } of input.readings) {
    const slate = readSlate(lines)
    const group = groups.at(-1)
    const isClose = group !== undefined && isNearIn(group, frame, context)
    // A slate that is half in the picture still adds to one that was whole.
    if (!isSlate(slate) && !(isClose && slate.labels >= 1)) continue
    const own = slate.lines.map((index) => lines[index]!)
    const first = Math.min(frame, ...own.map(({ firstFrame }) => firstFrame))
    const last = Math.max(frame, ...own.map(({ lastFrame }) => lastFrame))
    const reading = { frame, slate, box: boxAround(own, input) }
    if (group && isClose && !disagrees(group, slate)) {
      group.readings.push(reading)
      group.lastFrame = Math.max(group.lastFrame, last)
    } else if (isSlate(slate)) {
      groups.push({ readings: [reading], firstFrame: first, lastFrame: last })
    }
  }
  return groups.map((group) => slateOf(group, input.step, context.frames))
}

function isNearIn(
  group: Group,
  frame: number,
  { framesPerSecond, cuts }: { framesPerSecond: number; cuts: readonly number[] },
): boolean {
  const isCut = cuts.some((cut) => cut > group.lastFrame && cut <= frame)
  return !isCut && frame - group.lastFrame <= apartSeconds * framesPerSecond
}

/** Another take follows within seconds where the camera was not stopped. */
function disagrees(group: Group, slate: SlateReading): boolean {
  const { scene, take } = slate.fields
  const known = vote(group)
  const differs = (first: SlateValue | null, other: SlateValue | undefined): boolean =>
    first !== null && other !== undefined && first.text !== other.text && other.confidence > 0.9
  const isOther = differs(known.take, take) && known.take!.confidence > 0.9
  return isOther && isSlate(slate) && (scene?.confidence ?? 0) > 0.9
}

function vote(group: Group): Record<SlateField, SlateValue | null> {
  const winner = (field: SlateField): SlateValue | null => {
    const votes = new Map<string, { sum: number; max: number }>()
    let all = 0
    for (const { slate } of group.readings) {
      const value = slate.fields[field]
      if (!value) continue
      const known = votes.get(value.text) ?? { sum: 0, max: 0 }
      votes.set(value.text, {
        sum: known.sum + value.confidence,
        max: Math.max(known.max, value.confidence),
      })
      all += value.confidence
    }
    const [best] = [...votes].toSorted((a, b) => b[1].sum - a[1].sum)
    if (!best) return null
    const agreed = field === 'timecode' ? 1 : best[1].sum / all
    return { text: best[0], confidence: Math.round(best[1].max * agreed * 1000) / 1000 }
  }
  return Object.fromEntries(slateFields.map((field) => [field, winner(field)])) as Record<
    SlateField,
    SlateValue | null
  >
}

function slateOf(group: Group, step: number, frames: number): FoundSlate {
  const fields = vote(group)
  const values = slateFields.flatMap((field) => fields[field] ?? [])
  const sum = values.reduce((total, { confidence }) => total + confidence, 0)
  const boxes = group.readings.map(({ box }) => box)
  return {
    startFrame: group.firstFrame,
    endFrame: Math.min(frames, group.lastFrame + step),
    box: boxes[boxes.length >> 1]!,
    fields,
    confidence: Math.round((sum / Math.max(1, values.length)) * 1000) / 1000,
  }
}

function boxAround(
  lines: TextReadings['readings'][number]['lines'],
  { width, height }: TextReadings,
): Part {
  const boxes = lines.map(({ area }) => boxOf(area))
  const left = Math.max(0, Math.min(...boxes.map((box) => box.left)))
  const top = Math.max(0, Math.min(...boxes.map((box) => box.top)))
  const right = Math.min(width, Math.max(...boxes.map((box) => box.right)))
  const bottom = Math.min(height, Math.max(...boxes.map((box) => box.bottom)))
  const round = (value: number): number => Math.round(value * 1e4) / 1e4
  return {
    x: round(left / width),
    y: round(top / height),
    width: round((right - left) / width),
    height: round((bottom - top) / height),
  }
}
