/** How a clip's facts read on a card and in a row. */
import { parseRate, rateLabel } from '../../domain/time/timecode.ts'
import type { ContentItem } from '../app/answers.ts'

export function rateText({ media }: Pick<ContentItem, 'media'>): string {
  if (!media) return ''
  if (media.kind === 'audio') {
    const [track] = media.audio
    return track ? `${track.sample_rate / 1000} kHz` : ''
  }
  const rate = media.frame_rate && media.kind === 'video' ? parseRate(media.frame_rate) : null
  return rate ? `${rateLabel(rate)} ${media.drop_frame ? 'DF' : 'fps'}` : ''
}

export function startText({ media }: Pick<ContentItem, 'media'>): string {
  return media?.start_timecode ?? (media?.kind === 'video' ? '00:00:00:00' : '')
}

/** Stars, a reject, and how many keywords. */
export function markText({
  rating = 0,
  keywords = [],
}: Partial<Pick<ContentItem, 'rating' | 'keywords'>>): string {
  const words = keywords.length > 0 ? `#${keywords.length}` : ''
  return [rating < 0 ? 'Rejected' : '★'.repeat(rating), words].filter(Boolean).join(' ')
}

const minCutLength = 16
const tailLength = 8
/** Letters as a reader counts them, with their marks. */
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The part that gives way where there is little room: the clip's number and ending stay. */
export function middleCut(name: string): { head: string; tail: string } {
  if (name.length <= minCutLength) return { head: name, tail: '' }
  const letters = [...graphemes.segment(name)].map(({ segment }) => segment)
  return { head: letters.slice(0, -tailLength).join(''), tail: letters.slice(-tailLength).join('') }
}
