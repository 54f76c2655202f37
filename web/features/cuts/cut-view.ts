/** Lays a cut out for its screen: events, text, lengths and seams. */
import { useQuery, keepPreviousData } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { cutEvents, cutFormat, cutStart } from '../../../domain/cuts/cut-times.ts'
import type { CutEvent } from '../../../domain/cuts/cut-times.ts'
import { cutTranscript } from '../../../domain/cuts/cut-text.ts'
import type { CutPassage } from '../../../domain/cuts/cut-text.ts'
import type { Cut, CutPoints, CutSource } from '../../../contract/footage/cuts.ts'
import type { CutTranscript } from '../../../domain/cuts/cut.ts'
import { parseRational, toNumber } from '../../../domain/time/rational.ts'
import { parseRate, toTimecode } from '../../../domain/time/timecode.ts'
import type { TimecodeFormat } from '../../../domain/time/timecode.ts'
import { api } from '../../app/api.ts'
import { frameClock } from '../../playback/frame-clock.ts'
import { useFrameSeconds } from '../../playback/use-frame-seconds.ts'
import type { CutState } from './cut-state.ts'
import type { Program } from './player/cut-player.ts'
import type { PlayedClip } from './player/played-clip.ts'
import { sourceTime } from './source-names.ts'

export interface CutView {
  events: readonly CutEvent[]
  passages: readonly CutPassage[]
  sources: ReadonlyMap<string, CutSource>
  program: Program
  frames: number
  framesPerSecond: number
  format: TimecodeFormat
  /** The number of the cut's first frame, as exports count from it. */
  startFrame: number
  /** A frame of the cut as a timecode. */
  time: (frame: number) => string
  /** How long frames are, as a timecode. */
  length: (frames: number) => string
  /** A frame of a source in its own timecode. */
  sourceTime: (contentId: string, frame: number) => string
  /** False while the words are on their way. */
  hasText: boolean
  /** Frames of each source at which a cut works, in order. */
  cutPoints: ReadonlyMap<string, readonly number[]>
}

export function useCutView(
  cut: Pick<Cut, 'frame_rate' | 'drop_frame' | 'start_timecode' | 'ranges'>,
  sources: readonly CutSource[],
  words: {
    transcripts: readonly CutTranscript[] | undefined
    cutPoints?: readonly CutPoints[] | undefined
    isComplete: boolean
  },
): CutView {
  const { transcripts, cutPoints, isComplete } = words
  const { frame_rate: frameRate, drop_frame: dropFrame, start_timecode: start, ranges } = cut
  const exact = useFrameSeconds(
    sources.flatMap(({ pictures, frame_times }) =>
      frame_times && pictures.proxy ? [pictures.proxy.url] : [],
    ),
  )
  // Apart from the words: a program that is loaded again interrupts what plays.
  const timeline = useMemo(() => {
    const events = cutEvents({ frame_rate: frameRate, ranges }, sources)
    const known = new Map(sources.map((source) => [source.content_id, source]))
    const clips = new Map(sources.map((source) => [source.content_id, playedClip(source, exact)]))
    const timecode = { frame_rate: frameRate, drop_frame: dropFrame, start_timecode: start }
    const [format, startFrame] = [cutFormat(timecode), cutStart(timecode)]
    const framesPerSecond = toNumber(parseRate(frameRate) ?? { num: 25n, den: 1n })
    const frames = events.at(-1)?.recordOut ?? 0
    const program: Program = { events, frames, framesPerSecond, clip: (id) => clips.get(id) }
    return {
      events,
      sources: known,
      frames,
      framesPerSecond,
      format,
      program,
      startFrame,
      time: (frame: number) => toTimecode(startFrame + frame, format),
      length: (count: number) => toTimecode(count, format),
      sourceTime(contentId: string, frame: number) {
        const source = known.get(contentId)
        return source ? sourceTime(source, frame) : ''
      },
    }
  }, [frameRate, dropFrame, start, ranges, sources, exact])
  return useMemo(() => {
    const passages = cutTranscript({ frame_rate: frameRate, ranges }, sources, transcripts ?? [])
    const points = new Map((cutPoints ?? []).map((source) => [source.content_id, source.frames]))
    return { ...timeline, passages, hasText: isComplete, cutPoints: points }
  }, [timeline, frameRate, ranges, sources, transcripts, cutPoints, isComplete])
}

/** Asks again once new or longer ranges are saved: words far from all ranges are not sent. */
export function useCutWords({ cut, saveState }: Pick<CutState, 'cut' | 'saveState'>): {
  transcripts: readonly CutTranscript[] | undefined
  cutPoints: readonly CutPoints[] | undefined
  isComplete: boolean
} {
  const reach = JSON.stringify(cut.ranges.map((range) => [range.content_id, range.in, range.out]))
  const [asked, setAsked] = useState(reach)
  if (saveState === 'saved' && asked !== reach) setAsked(reach)
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['cut-words', cut.id, asked],
    queryFn: ({ signal }) =>
      api.getCutTranscript({ params: { id: cut.id }, query: {} }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  })
  return {
    transcripts: data?.transcripts,
    cutPoints: data?.cut_points,
    isComplete: data !== undefined && !isPlaceholderData && asked === reach,
  }
}

function playedClip(
  { pictures, frame_times: frameTimes }: CutSource,
  exact: ReadonlyMap<string, readonly number[]>,
): PlayedClip | undefined {
  const { proxy } = pictures
  const rate = proxy && parseRational(proxy.frame_rate)
  if (!proxy || !rate) return undefined
  const { url, start_frame: startFrame } = proxy
  const framesPerSecond = toNumber(rate)
  const exactSeconds = exact.get(url)
  return { url, clock: frameClock({ startFrame, framesPerSecond, frameTimes, exactSeconds }) }
}
