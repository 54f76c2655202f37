/** The second door: a file and the names of extractors in, findings out. */
import { mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import type { ExtractorId } from '../domain/money/catalogue.ts'
import type { Findings, Media } from '../domain/findings/findings.ts'
import type { Extractor, Need, Signals } from './extractors/extractor.ts'
import { gatherSignals } from './extractors/gather.ts'
import type { Gathered, GatherInput } from './extractors/gather.ts'
import { decodedSeconds, measuredMedia, rangeOf, wantedSeconds } from './extractors/measure.ts'
import type { Range } from './extractors/measure.ts'
import { extractors as registry } from './extractors/registry.ts'
import { createRuns, failure, passMessages, PassStopped } from './extractors/run-extractors.ts'
import type { Outcome, RunInput, Runs } from './extractors/run-extractors.ts'
import { gatherFilm } from './parts/gather-film.ts'
import { joinFilm, watchFilm } from './parts/join-film.ts'
import type { FilmPieces, WatchedFilm } from './parts/join-film.ts'
import { planFilm } from './parts/plan-film.ts'
import type { Film } from './parts/plan-film.ts'
import { probe } from './probe.ts'
import type { MediaDetails, PlainReport, ProbeOutcome } from './probe.ts'
import { createClock } from './time/clock.ts'
import { moveFindings, movesBetween } from './time/rebase.ts'

export interface AnalyseInput extends RunInput, Range {
  file: string
  /**
   * 0-based index of the audio track that every extractor reads; the first track if it does not
   * exist.
   */
  audioTrack?: number
  /** Folder for written files; created if missing. */
  workDir: string
  /** How many parts of a film are analysed at once; the findings do not depend on it. */
  parts?: number
  /** Length of the segments that a film can be split into; two minutes by default. */
  segmentSeconds?: number
  /**
   * Called before the frames of a film are analysed; true means that others analyse its parts. By
   * then, extractors that need no frames have their findings, and `pieces` completes the rest.
   */
  onFilm?: (film: Film) => Promise<boolean>
  /** Results of the parts of a film: nothing is decoded again. */
  pieces?: FilmPieces
  /** Called with the results of the frames of `pieces`, so that a later call can reuse them. */
  onWatched?: (watched: WatchedFilm) => Promise<void>
  /** Called with the true length once everything is decoded, before any extractor that needs it. */
  onMeasured?: (measured: { media: Media; seconds: number }) => void | Promise<void>
}

export interface AnalyseResult {
  /** Null if the file could not be read at all. */
  media: Media | null
  findings: Partial<Findings>
  outcomes: Partial<Record<ExtractorId, Outcome>>
  /** Seconds of media that were processed. */
  seconds: number
}

export async function analyse(input: AnalyseInput): Promise<AnalyseResult> {
  await mkdir(input.workDir, { recursive: true })
  const chosen = registry.filter((extractor) => input.extractors.includes(extractor.id))
  const runs = createRuns(input)
  const { findings, outcomes } = runs
  const outcome: ProbeOutcome = input.pieces
    ? { status: 'media', ...input.pieces.film }
    : await probe(input.file, { signal: input.signal })
  if (outcome.status === 'refused') {
    const { code, message } = outcome
    await runs.endAll(chosen, { status: 'failed', code, message })
    return { findings, outcomes, media: null, seconds: 0 }
  }
  const { media } = outcome
  const details = outcome.status === 'media' ? outcome.details : null
  const report = outcome.status === 'plain' ? (outcome.report ?? null) : null
  findings.media = media
  const todo = await runs.begin(chosen, media, details)
  const first = todo.filter((extractor) => extractor.needs.length === 0 || !details)
  const before = emptySignals(input, { media, details, report, findings })
  for (const extractor of first) await runs.run(extractor, before)
  const rest = todo.filter((extractor) => !first.includes(extractor))
  const measured =
    details && rest.length > 0
      ? await runOnPass(input, { media, details, rest, runs })
      : { media, seconds: wantedSeconds(input, media, details) }
  return { findings, outcomes, ...measured }
}

interface OnPass {
  media: Media
  details: MediaDetails
  rest: Extractor[]
  runs: Runs
  isSecond?: boolean
}

/** Decodes once for all extractors, then runs them one after the other. */
async function runOnPass(
  input: AnalyseInput,
  on: OnPass,
): Promise<Pick<AnalyseResult, 'media' | 'seconds'>> {
  const { media, details, rest, runs } = on
  const range = rangeOf(input, details)
  const gathered = await gather(input, {
    ...{ media, details, range },
    needs: new Set<Need>(rest.flatMap((extractor) => extractor.needs)),
    hearsWords: rest.some((extractor) => extractor.id === 'transcription'),
    onProgress: (part) => runs.passed(rest, part),
  }).catch(async (error: unknown) => {
    await runs.endAll(rest, failure(error, input))
    return null
  })
  if (!gathered) return { media, seconds: 0 }
  if (!on.isSecond && isMisplaced(gathered, details)) {
    const again = await probe(input.file, { signal: input.signal, decodeFirst: true })
    if (again.status === 'media') return await runOnPass(input, { ...on, ...again, isSecond: true })
  }
  const { end } = gathered.outcome
  if (end === 'timeout' || end === 'canceled' || gathered.clock.frames === 0) {
    const code = end === 'timeout' || end === 'canceled' ? end : 'probe_failed'
    await runs.endAll(rest, { status: 'failed', code, message: passMessages[code] })
    return { media, seconds: 0 }
  }
  // Decoding knows the length better than the header.
  const measured = range ? media : measuredMedia(media, details, gathered)
  runs.findings.media = measured
  const wanted = wantedSeconds(input, measured, details)
  const isSeen = measured.kind === 'video'
  const seconds = isSeen ? Math.min(wanted, decodedSeconds(gathered, details)) : wanted
  await input.onMeasured?.({ media: measured, seconds })
  const signals = signalsOf(input, { ...on, media: measured, gathered })
  for (const extractor of rest) await runs.run(extractor, signals, details)
  return { media: measured, seconds }
}

/** Findings so far move onto the clock of the pass. */
function signalsOf(
  input: AnalyseInput,
  { media, details, runs, gathered }: OnPass & { gathered: Gathered },
): Signals {
  const { clock, startFrame, places } = gathered
  const findings = moveFindings(
    { ...runs.findings, cutpoints: undefined },
    {
      ...{ from: details.clock, to: clock, by: -startFrame },
      place: places ? movesBetween(places).back : undefined,
    },
  )
  return {
    ...emptySignals(input, { media, details, report: null, findings }),
    ...gathered,
    hearings: input.pieces?.hearings ?? null,
    turns: input.pieces?.turns ?? null,
  }
}

/** A part keeps about four cores busy: decoding, encoding and finding faces. */
function partsHere(): number {
  return Math.max(1, Math.floor(availableParallelism() / 4))
}

/**
 * Analyses a film by its segments and everything else in one pass; null if others analyse the film.
 */
async function gather(
  input: AnalyseInput,
  order: Omit<Film, 'segments' | 'speechSeconds'> & Pick<GatherInput, 'onProgress'>,
): Promise<Gathered | null> {
  const { file, workDir, signal, maxSeconds, audioTrack, parts = partsHere(), pieces } = input
  if (pieces) return await joinPieces(input, pieces, order.needs)
  const { onProgress, ...asked } = order
  const film = planFilm({ ...asked, maxSeconds, audioTrack }, input)
  if (film && (await input.onFilm?.(film))) return null
  if (film && film.segments.length > 0) {
    const result = await gatherFilm(film, { file, workDir, parts, signal, onProgress })
    if (result.end === 'done') return result.gathered
    if (result.end === 'stopped') throw new PassStopped(result.outcome.end)
  }
  return await gatherSignals({ ...order, file, workDir, maxSeconds, audioTrack, signal })
}

async function joinPieces(
  { workDir, signal, onWatched }: AnalyseInput,
  pieces: FilmPieces,
  needs: ReadonlySet<Need>,
): Promise<Gathered> {
  const { film, parts } = pieces
  const watched = pieces.watched ?? (await watchFilm(film, parts, { workDir, signal }))
  await onWatched?.(watched)
  return await joinFilm(film, { ...pieces, watched }, { workDir, signal, needs })
}

/**
 * True if the first key frame, which the probe took for the first frame shown, is damaged: every
 * time counted from it is then off, those of the sound above all.
 */
function isMisplaced({ firstPts, startFrame }: Gathered, { video }: MediaDetails): boolean {
  return video !== null && startFrame === 0 && firstPts !== null && firstPts !== video.firstPts
}

function emptySignals(
  { file, workDir }: AnalyseInput,
  known: {
    media: Media
    details: MediaDetails | null
    report: PlainReport | null
    findings: Partial<Findings>
  },
): Signals {
  const { media, details, report, findings } = known
  return {
    file,
    workDir,
    media,
    details,
    report,
    clock: details?.clock ?? createClock({ rate: { num: 25n, den: 1n }, frames: 1 }),
    startFrame: 0,
    places: null,
    changes: null,
    hearings: null,
    turns: null,
    sound: null,
    speech: null,
    voice: null,
    microphones: null,
    spokenTrack: null,
    faces: null,
    text: null,
    files: null,
    findings,
    faults: {},
  }
}
