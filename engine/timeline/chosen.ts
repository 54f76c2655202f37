/** The shots and cut points that the options of an export ask for. */
import type { ExportOptions } from '../../contract/footage/export-options.ts'
import type { Findings, Shot, ShotChange } from '../../domain/findings/findings.ts'
import { analysedFrames, recutChanges, shotsBetween } from '../../domain/findings/recut.ts'
import { formatRational, toNumber } from '../../domain/time/rational.ts'
import { sourceTimes } from '../../domain/time/source-times.ts'

/** The changes that the options ask for. */
export function chosenChanges(findings: Findings, options: ExportOptions): ShotChange[] {
  if (!findings.shots) return []
  const { threshold, accepted_shots: accepted, rejected_shots: rejected } = options
  const timeOf = sourceTimes(findings)
  return recutChanges(findings.shots, { threshold, accepted, rejected }, (frame) => {
    const time = formatRational(timeOf(frame))
    const start = toNumber(timeOf(frame))
    const range = { start_frame: frame, end_frame: frame, start_time: time, end_time: time }
    return { type: 'cut', ...range, start, end: start, score: 1 }
  })
}

/** The shots between those changes. */
export function chosenShots(findings: Findings, options: ExportOptions): Shot[] {
  const { media, shots } = findings
  if (!shots) return []
  const timeOf = sourceTimes(findings)
  const film = analysedFrames(shots, media.frames)
  const end = shots.shots.at(-1) ?? { end_time: media.duration_time, end: media.duration }
  return shotsBetween(chosenChanges(findings, options), {
    known: shots.shots,
    film,
    // Where the film ends is known better than a frame after its last.
    timeOf: (frame) =>
      frame === film.end_frame
        ? { time: end.end_time, seconds: end.end }
        : { time: formatRational(timeOf(frame)), seconds: toNumber(timeOf(frame)) },
  })
}

/** The cut points that the options ask for, in order of time. */
export function chosenPoints(findings: Findings, options: ExportOptions) {
  const rejected = new Set(options.rejected)
  const wanted = acceptedPoints(options)
  const accepted = wanted && new Set(wanted)
  return (findings.cutpoints?.points ?? [])
    .filter((point) => !rejected.has(point.frame))
    .filter((point) => (accepted ? accepted.has(point.frame) : point.score >= options.min_score))
    .toSorted((a, b) => a.frame - b.frame)
}

/** An empty list means that nobody has chosen yet. */
export function acceptedPoints(options: ExportOptions): number[] | undefined {
  return options.accepted && options.accepted.length > 0 ? options.accepted : undefined
}
