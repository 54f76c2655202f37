/** Corrections in words. */
import type { Corrections, Unmatched } from '../../../../domain/findings/corrections.ts'
import { speakerName } from '../../../../domain/findings/speakers.ts'
import type { Reel } from '../viewer/reel.ts'
import type { Item } from './merge-corrections.ts'

export type Clock = Pick<Reel, 'timecode' | 'secondsAt' | 'frameAtSecond'>

/** The frame where it lies; null where it is about the whole clip. */
export function frameOf(item: Item, clock: Clock): number | null {
  if (item.kind === 'speaker') return null
  const isFrame = item.kind === 'removed' || item.kind === 'added'
  return isFrame ? item.start : clock.frameAtSecond(item.start)
}

export function describeItem({ kind, value }: Item): string {
  switch (kind) {
    case 'word': {
      const { from, to } = value as Corrections['words'][number]
      return to === null ? `“${from}” was not spoken` : `“${from}” is “${to}”`
    }
    case 'paragraph':
      return (value as Corrections['paragraphs'][number]).action === 'split'
        ? 'A new paragraph begins'
        : 'Joined with the paragraph above'
    case 'speaker': {
      const [id, name] = value as [string, string]
      return `${speakerName(id)} is ${speakerName(name)}`
    }
    case 'passage':
      return `${speakerName((value as { speaker: string }).speaker)} speaks`
    case 'removed':
      return 'No change of shot'
    case 'added':
      return `${capital((value as { type: string }).type)} by hand`
  }
}

/** Whether this is one of those that the findings no longer fit. */
export function isUnmatched(item: Item, unmatched: readonly Unmatched[], clock: Clock): boolean {
  return unmatched.some(({ kind, seconds, text }) => {
    if (kind === 'word') {
      return item.kind === 'word' && seconds === item.start && text === fromOf(item)
    }
    if (kind === 'paragraph') return item.kind === 'paragraph' && seconds === item.start
    if (kind === 'speaker') return item.kind === 'passage' && seconds === item.start
    const isShot = item.kind === (text === 'removed' ? 'removed' : 'added')
    return isShot && Math.abs(clock.secondsAt(item.start) - seconds) < 0.02
  })
}

function fromOf({ value }: Item): string {
  return (value as { from: string }).from
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
