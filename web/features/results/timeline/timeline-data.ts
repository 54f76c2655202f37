import type { Findings, FindingsOf } from '../../../../domain/findings/findings.ts'
import type { Review } from '../../../../contract/footage/review.ts'
import { isSureSpeaker } from '../../../../domain/findings/speakers.ts'
import type { ShotRange } from '../review/cuts.ts'
import type { Reel } from '../viewer/reel.ts'

export interface FrameSpan {
  startFrame: number
  endFrame: number
}

export interface SpeakerSpan extends FrameSpan {
  speaker: string
  isSure: boolean
}

export interface Peaks {
  /** Minimum and maximum in turn, -128 to 127. */
  values: Int8Array
  perSecond: number
  startSeconds: number
  /** The largest distance from silence: it reaches the edge of the lane. */
  loudest: number
}

export interface Sprites {
  sheets: readonly HTMLImageElement[]
  tileWidth: number
  tileHeight: number
  columns: number
  rows: number
  intervalFrames: number
  count: number
  startFrame: number
}

/** Everything the lanes draw, in frames. */
export interface TimelineData {
  frames: number
  secondsAt: Reel['secondsAt']
  shots: readonly ShotRange[]
  talking: readonly FrameSpan[]
  lipFlap: readonly FrameSpan[]
  voiceOnly: readonly FrameSpan[]
  cutPoints: readonly { frame: number; score: number; verdict: 'accepted' | 'rejected' | null }[]
  selects: readonly FrameSpan[]
  speakers: readonly SpeakerSpan[]
  peaks: Peaks | null
  sprites: Sprites | null
}

/** All of it but the shots. */
export function drawnFindings(input: {
  findings: Partial<Findings>
  review: Pick<Review, 'accepted_cut_frames' | 'rejected_cut_frames' | 'selects'>
  reel: Pick<Reel, 'frames' | 'framesPerSecond' | 'secondsAt'>
  peaks: Peaks | null
  sprites: Sprites | null
}): Omit<TimelineData, 'shots'> {
  const { findings, review, reel } = input
  const accepted = new Set(review.accepted_cut_frames)
  const rejected = new Set(review.rejected_cut_frames)
  return {
    frames: reel.frames,
    secondsAt: reel.secondsAt,
    talking: spans(findings.talking?.talking),
    lipFlap: spans(findings.talking?.lip_flap),
    voiceOnly: spans(findings.talking?.voice_only),
    cutPoints: (findings.cutpoints?.points ?? []).map(({ frame, score }) => ({
      frame,
      score,
      verdict: accepted.has(frame) ? 'accepted' : rejected.has(frame) ? 'rejected' : null,
    })),
    selects: spans(review.selects),
    speakers: speakerSpans(findings.transcription?.words ?? [], reel.framesPerSecond),
    peaks: input.peaks,
    sprites: input.sprites,
  }
}

/** Words of one speaker as one span, across pauses of less than a second. */
export function speakerSpans(
  words: readonly Pick<
    FindingsOf<'transcription'>['words'][number],
    'start_frame' | 'end_frame' | 'speaker' | 'speaker_confidence'
  >[],
  pauseFrames: number,
): SpeakerSpan[] {
  const spans: SpeakerSpan[] = []
  for (const { speaker, speaker_confidence, start_frame, end_frame } of words) {
    if (speaker === null) continue
    const isSure = isSureSpeaker(speaker_confidence)
    const last = spans.at(-1)
    const isSame = last && last.speaker === speaker && last.isSure === isSure
    if (isSame && start_frame - last.endFrame < pauseFrames) last.endFrame = end_frame
    else spans.push({ speaker, isSure, startFrame: start_frame, endFrame: end_frame })
  }
  return spans
}

/** Whether somebody is seen to talk, or is only heard. */
export function voiceAt(
  { talking, voiceOnly }: Pick<TimelineData, 'talking' | 'voiceOnly'>,
  frame: number,
): 'talking' | 'voice only' | null {
  const isIn = ({ startFrame, endFrame }: FrameSpan) => frame >= startFrame && frame < endFrame
  if (talking.some(isIn)) return 'talking'
  return voiceOnly.some(isIn) ? 'voice only' : null
}

function spans(
  list: readonly { start_frame: number; end_frame: number }[] | undefined,
): FrameSpan[] {
  return (list ?? []).map((item) => ({ startFrame: item.start_frame, endFrame: item.end_frame }))
}
