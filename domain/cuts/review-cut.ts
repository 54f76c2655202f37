/**
 * The review of a clip, as it is shared, is a cut of that one clip: its comments name frames of
 * that cut. Where the clip has a standard, constant rate these are the clip's own frames.
 */
import type { CutTimeline, SourceTiming } from './cut.ts'
import { cutEvents, eventAt, sourceFrameAt, sourceFrames } from './cut-times.ts'
import type { Media } from '../findings/findings.ts'
import { formatRational, parseRational, rational } from '../time/rational.ts'
import { canDropFrame, nearestStandardRate, parseRate } from '../time/timecode.ts'

export function reviewTimeline(
  media: Media,
): Pick<CutTimeline, 'frame_rate' | 'drop_frame' | 'start_timecode'> {
  const rate = nearestStandardRate(parseRational(media.frame_rate ?? '25/1') ?? rational(25))
  return {
    frame_rate: formatRational(rate),
    drop_frame: media.drop_frame && canDropFrame(rate),
    start_timecode: media.start_timecode ?? '00:00:00:00',
  }
}

/** A function from frames of the shared review to frames of the clip; null behind its end. */
export function reviewFrames(source: SourceTiming): (frame: number) => number | null {
  const { frame_rate: frameRate } = reviewTimeline(source.media)
  const whole = {
    id: 'whole',
    content_id: source.content_id,
    in: 0,
    out: sourceFrames(source.media),
    name: '',
    note: '',
    disabled: false,
    removed: [],
  }
  const events = cutEvents({ frame_rate: frameRate, ranges: [whole] }, [source])
  const rate = parseRate(frameRate) ?? rational(25)
  return (frame) => {
    const event = eventAt(events, frame)
    return event ? sourceFrameAt(event, { frame, rate, source }) : null
  }
}
