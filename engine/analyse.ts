/**
 * The second door: a file and the names of extractors in, findings out. Each extractor ends on its
 * own as done, skipped or failed, and what it found is handed over as soon as it is there, so that a
 * caller can keep it before the next one starts.
 */
import { formatRational, toNumber } from '../domain/time/rational.ts'
import { mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { extractorIds } from '../domain/money/catalogue.ts'
import type { ExtractorId } from '../domain/money/catalogue.ts'
import { findingsByExtractor } from '../domain/findings/findings.ts'
import type { Findings, Media } from '../domain/findings/findings.ts'
import { skipReason } from './extractors/applies.ts'
import { createClock } from './time/clock.ts'
import type { Extractor, Need, Signals } from './extractors/extractor.ts'
import { extractors as registry } from './extractors/registry.ts'
import { gatherSignals } from './extractors/gather.ts'
import { gatherFilm } from './parts/gather-film.ts'
import type { Film } from './parts/plan-film.ts'
import { planFilm } from './parts/plan-film.ts'
import { joinFilm, watchFilm } from './parts/join-film.ts'
import type { FilmPieces, WatchedFilm } from './parts/join-film.ts'
import type { Gathered, GatherInput } from './extractors/gather.ts'
import { jumpedSeconds } from './media/clock-jumps.ts'
import { lateSoundEnd } from './media/late-sound.ts'
import { audioRate } from './pass/plan.ts'
import type { FrameRange } from './pass/plan.ts'
import type { ToolOutcome } from './tools/run.ts'
import { probe } from './probe.ts'
import type { MediaDetails, PlainReport, ProbeOutcome } from './probe.ts'
import { moveFindings, movesBetween } from './time/rebase.ts'

export interface AnalyseInput {
  file: string
  extractors: readonly ExtractorId[]
  /** Parameters by extractor; its schema refuses what it does not know. */
  params?: Partial<Record<ExtractorId, unknown>>
  /** Seconds of the media's clock, half open. */
  in?: number
  out?: number
  /** Which of the audio tracks every extractor hears, 0-based; the first where it is not there. */
  audioTrack?: number
  /** Never processes more than this. */
  maxSeconds?: number
  /** A disk that is full or locked is the machine's fault: it is thrown, so that another may try. */
  throwsDiskFaults?: boolean
  /** Where files are written; made where it is missing. */
  workDir: string
  /** In how many parts a film is looked at, all at once; what is found does not depend on it. */
  parts?: number
  /** How long the segments are that a film can be taken apart at; two minutes by default. */
  segmentSeconds?: number
  /**
   * Asked before a film is looked at; true means that others look at its parts. What needs no look
   * has been found by then, and `pieces` brings the rest to its end.
   */
  onFilm?: (film: Film) => Promise<boolean>
  /** What parts of a film came to: nothing is decoded again. */
  pieces?: FilmPieces
  /** Takes what the pictures of `pieces` came to, so that a later call need not ask them again. */
  onWatched?: (watched: WatchedFilm) => Promise<void>
  /** Findings of an earlier attempt: they are not computed again. */
  done?: Partial<Findings>
  signal?: AbortSignal
  onProgress?: (progress: Progress) => void
  /** Once everything was decoded, before any extractor that needs it: the true length. */
  onMeasured?: (measured: { media: Media; seconds: number }) => void | Promise<void>
  /** Awaited before the next extractor starts. */
  onFindings?: (id: ExtractorId, findings: unknown, outcome: Outcome) => void | Promise<void>
}

export interface Progress {
  overall: number
  extractors: Partial<Record<ExtractorId, number>>
}

export type Outcome =
  | { status: 'done' }
  | { status: 'skipped'; code: 'no_audio' | 'no_video' | 'unsupported_source'; message: string }
  | { status: 'failed'; code: FailureCode; message: string }

export type FailureCode =
  | 'probe_failed'
  | 'too_large'
  | 'unsupported_source'
  | 'extractor_failed'
  | 'timeout'
  | 'canceled'

export interface AnalyseResult {
  /** Null where the file could not be read at all. */
  media: Media | null
  findings: Partial<Findings>
  outcomes: Partial<Record<ExtractorId, Outcome>>
  /** Seconds of media that were processed. */
  seconds: number
}

export async function analyse(input: AnalyseInput): Promise<AnalyseResult> {
  await mkdir(input.workDir, { recursive: true })
  const chosen = registry.filter((extractor) => input.extractors.includes(extractor.id))
  const state = createState(input)
  const outcome: ProbeOutcome = input.pieces
    ? { status: 'media', ...input.pieces.film }
    : await probe(input.file, { signal: input.signal })
  if (outcome.status === 'refused') {
    const { code, message } = outcome
    for (const { id } of chosen) await state.end(id, { status: 'failed', code, message })
    return state.result(null, 0)
  }
  const { media } = outcome
  const details = outcome.status === 'media' ? outcome.details : null
  const report = outcome.status === 'plain' ? (outcome.report ?? null) : null
  state.found.media = media
  const todo: Extractor[] = []
  for (const extractor of chosen) {
    if (state.found[extractor.id] !== undefined) state.keep(extractor.id)
    else if (!(await state.skips(extractor, media, details))) todo.push(extractor)
  }
  const first = todo.filter((extractor) => extractor.needs.length === 0 || !details)
  const before = emptySignals(input, media, details, report, state.found)
  for (const extractor of first) await state.run(extractor, before)
  const rest = todo.filter((extractor) => !first.includes(extractor))
  if (!details || rest.length === 0) {
    return state.result(media, wantedSeconds(input, media, details))
  }
  return await runOnPass(input, { media, details, rest, state })
}

async function runOnPass(
  input: AnalyseInput,
  on: { media: Media; details: MediaDetails; rest: Extractor[]; state: State; again?: boolean },
): Promise<AnalyseResult> {
  const { media, details, rest, state } = on
  const needs = new Set<Need>(rest.flatMap((extractor) => extractor.needs))
  const range = rangeOf(input, details)
  let gathered: Gathered | null
  try {
    gathered = await gather(input, {
      ...{ media, details, needs, range },
      hearsWords: rest.some((extractor) => extractor.id === 'transcription'),
      onProgress: (part) => state.passed(rest, part),
    })
  } catch (error) {
    for (const { id } of rest) await state.end(id, failure(error, input))
    return state.result(media, 0)
  }
  if (!gathered) return state.result(media, 0)
  const { outcome } = gathered
  if (!on.again && isMisplaced(gathered, details)) {
    const again = await probe(input.file, { signal: input.signal, decodeFirst: true })
    if (again.status === 'media') return await runOnPass(input, { ...on, ...again, again: true })
  }
  if (outcome.end === 'timeout' || outcome.end === 'canceled' || gathered.clock.frames === 0) {
    const code =
      outcome.end === 'timeout' || outcome.end === 'canceled' ? outcome.end : 'probe_failed'
    const message = passMessages[code]
    for (const { id } of rest) await state.end(id, { status: 'failed', code, message })
    return state.result(media, 0)
  }
  // What was decoded knows better than the header how long it is.
  const measured = range ? media : measuredMedia(media, details, gathered)
  state.found.media = measured
  const { clock, startFrame, places } = gathered
  const local = moveFindings(
    { ...state.found, cutpoints: undefined },
    {
      ...{ from: details.clock, to: clock, by: -startFrame },
      place: places ? movesBetween(places).back : undefined,
    },
  )
  const signals: Signals = {
    ...emptySignals(input, measured, details, null, local),
    ...gathered,
    hearings: input.pieces?.hearings ?? null,
    turns: input.pieces?.turns ?? null,
  }
  const wanted = wantedSeconds(input, measured, details)
  const isSeen = measured.kind === 'video'
  const seconds = isSeen ? Math.min(wanted, decodedSeconds(gathered, details)) : wanted
  await input.onMeasured?.({ media: measured, seconds })
  for (const extractor of rest) await state.run(extractor, signals, details)
  return state.result(measured, seconds)
}

/** Sound that goes on after the last frame counts as far as somebody heard it. */
function decodedSeconds({ clock, sound, files }: Gathered, details: MediaDetails): number {
  const seen = toNumber(clock.timeOf(clock.frames))
  if (lateSoundEnd(details) === null) return seen
  const { waveform } = files ?? {}
  const drawn = waveform ? waveform.count / waveform.peaksPerSecond : 0
  return Math.max(seen, drawn, sound ? sound.samples / audioRate : 0)
}

/** A part keeps about four cores busy: with decoding, with an encoder, and with a model for faces. */
function partsHere(): number {
  return Math.max(1, Math.floor(availableParallelism() / 4))
}

/** A film by its segments, and everything else in one pass; null where others look at it. */
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
 * The probe took the first key picture for the first one shown, but it is damaged: everything that
 * was timed from it, the sound above all, is off.
 */
function isMisplaced({ firstPts, startFrame }: Gathered, { video }: MediaDetails): boolean {
  return video !== null && startFrame === 0 && firstPts !== null && firstPts !== video.firstPts
}

const passMessages = {
  timeout: 'The media took too long to decode.',
  canceled: 'The analysis was canceled.',
  probe_failed: 'Nothing of this media can be decoded.',
}

/** A pass that did not come to its end. */
class PassStopped extends Error {
  readonly code: 'timeout' | 'canceled'
  constructor(end: ToolOutcome['end']) {
    const code = end === 'timeout' ? end : 'canceled'
    super(passMessages[code])
    this.code = code
  }
}

type State = ReturnType<typeof createState>

function createState(input: AnalyseInput) {
  const found: Partial<Findings> = { ...input.done }
  const outcomes: AnalyseResult['outcomes'] = {}
  const parts: Progress['extractors'] = {}
  const ids = extractorIds.filter((id) => input.extractors.includes(id))
  for (const id of ids) parts[id] = 0

  function report(id: ExtractorId, part: number): void {
    parts[id] = Math.max(parts[id] ?? 0, Math.min(1, part))
    const sum = ids.reduce((total, one) => total + (parts[one] ?? 0), 0)
    input.onProgress?.({ overall: sum / Math.max(1, ids.length), extractors: { ...parts } })
  }

  async function end(id: ExtractorId, outcome: Outcome): Promise<void> {
    outcomes[id] = outcome
    report(id, 1)
    await input.onFindings?.(id, found[id], outcome)
  }

  return {
    found,
    end,
    keep(id: ExtractorId): void {
      outcomes[id] = { status: 'done' }
      report(id, 1)
    },
    /** Media without what an extractor lives on is no fault of anyone. */
    async skips(
      extractor: Extractor,
      media: Media,
      details: MediaDetails | null,
    ): Promise<boolean> {
      const opened = { picture: Boolean(details?.video), sound: Boolean(details?.audio) }
      const reason = skipReason(extractor, media, opened)
      if (reason) await end(extractor.id, { status: 'skipped', ...reason })
      return reason !== null
    },
    passed(extractors: readonly Extractor[], part: number): void {
      for (const { id } of extractors) report(id, part * passShare(id))
    },
    async run(extractor: Extractor, signals: Signals, details?: MediaDetails): Promise<void> {
      const { id } = extractor
      if (input.signal?.aborted) return await end(id, failure(null, input))
      const share = passShare(id)
      try {
        const params = extractor.params.parse(input.params?.[id] ?? {})
        const fault = extractor.needs.map((need) => signals.faults[need]).find(Boolean)
        if (fault) throw fault
        const findings = await extractor.run(signals, params, {
          signal: input.signal,
          maxSeconds: input.maxSeconds,
          onProgress: (part) => report(id, share + (1 - share) * part),
        })
        const { clock: from, startFrame: by, places } = signals
        const place = places ? movesBetween(places).there : undefined
        const moved = details
          ? moveFindings(findings, { from, to: details.clock, by, place })
          : findings
        Object.assign(signals.found, { [id]: findings })
        Object.assign(found, { [id]: findingsByExtractor[id].parse(moved) })
        await end(id, { status: 'done' })
      } catch (error) {
        await end(id, failure(error, input))
      }
    },
    result(media: Media | null, seconds: number): AnalyseResult {
      return { media, findings: found, outcomes, seconds }
    },
  }
}

/** How much of an extractor's work is the shared pass. */
function passShare(id: ExtractorId): number {
  return id === 'transcription' ? 0.2 : 0.9
}

function failure(error: unknown, input: AnalyseInput): Outcome {
  if (input.signal?.aborted) {
    return { status: 'failed', code: 'canceled', message: passMessages.canceled }
  }
  if (error instanceof PassStopped) {
    return { status: 'failed', code: error.code, message: error.message }
  }
  const code = (error as NodeJS.ErrnoException | null)?.code ?? ''
  if (input.throwsDiskFaults && Object.hasOwn(diskMessages, code)) throw error
  const message = error instanceof Error ? error.message : 'The extractor failed.'
  const shown = diskMessages[code] ?? message.slice(0, 500)
  return { status: 'failed', code: 'extractor_failed', message: shown }
}

const diskMessages: Partial<Record<string, string>> = {
  ENOSPC: 'There is no space left on the disk. Make room and run it again.',
  EDQUOT: 'There is no space left on the disk. Make room and run it again.',
  EACCES: 'The folder for the results cannot be written to.',
  EROFS: 'The folder for the results cannot be written to.',
}

function emptySignals(
  input: AnalyseInput,
  media: Media,
  details: MediaDetails | null,
  report: PlainReport | null,
  found: Partial<Findings>,
): Signals {
  return {
    file: input.file,
    media,
    details,
    report,
    workDir: input.workDir,
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
    found,
    faults: {},
  }
}

function rangeOf(input: AnalyseInput, { clock }: MediaDetails): FrameRange | undefined {
  if (input.in === undefined && input.out === undefined) return undefined
  const startFrame = Math.min(clock.frameAt(input.in ?? 0), Math.max(0, clock.frames - 1))
  const endFrame = input.out === undefined ? clock.frames : clock.frameAt(input.out)
  return {
    ...{ startFrame, endFrame: Math.max(startFrame + 1, endFrame) },
    ...{ soundStart: input.in, soundEnd: input.out },
  }
}

/** What was asked for, without the hours by which a clock jumped. */
function wantedSeconds(input: AnalyseInput, media: Media, details: MediaDetails | null): number {
  const start = input.in ?? 0
  const last = Math.min(input.out ?? media.duration, media.duration)
  const end = Math.max(start, Math.min(last, start + (input.maxSeconds ?? Infinity)))
  return end - start - (details ? jumpedSeconds(details, { start, end }) : 0)
}

function measuredMedia(media: Media, details: MediaDetails, gathered: Gathered): Media {
  const { clock } = gathered
  if (media.kind !== 'video' || clock.frames === media.frames) return media
  if (details.exact && clock.frames < media.frames) return media
  const end = clock.timeOf(clock.frames)
  const isSoundLater = lateSoundEnd(details) !== null && media.duration > toNumber(end)
  return {
    ...media,
    frames: clock.frames,
    ...(isSoundLater ? {} : { duration: toNumber(end), duration_time: formatRational(end) }),
  }
}
