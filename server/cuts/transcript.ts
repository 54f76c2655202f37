/**
 * Reads the corrected words of a cut's sources, which screen and exports show as one text, and the
 * frames that trims and struck words snap to.
 */
import { within } from '../../domain/cuts/cut-edit.ts'
import { joinerOf } from '../../domain/findings/replace-words.ts'
import { sourceRate } from '../../domain/cuts/cut-times.ts'
import type { CutPoints } from '../../contract/footage/cuts.ts'
import type { CutTranscript, FrameSpan } from '../../domain/cuts/cut.ts'
import type { Findings } from '../../domain/findings/findings.ts'
import { toNumber } from '../../domain/time/rational.ts'
import { markedSpeaker } from '../../domain/findings/speakers.ts'
import type { Verb } from '../ground/verb.ts'
import { readCorrected, readFindings } from '../findings/results.ts'
import type { Context } from '../ground/context.ts'
import { notFound } from '../ground/refusal.ts'
import { readCut } from './read.ts'
import type { SavedCut } from './read.ts'
import { findSources } from './sources.ts'
import type { KnownSource } from './sources.ts'

/** Words so far around a range can be taken in without asking again. */
const marginSeconds = 10

export const getCutTranscript: Verb<'getCutTranscript'> = async (ctx, actor, input) => {
  const { accountId } = actor
  const saved = await readCut(ctx.db, { id: input.params.id, accountId })
  const { content_id: contentId } = input.query
  const contentIds = contentId === undefined ? contentIdsOf(saved) : [contentId]
  const known = await findSources(ctx, accountId, { contentIds, saved: saved.sources })
  if (contentId !== undefined && !known.has(contentId)) throw notFound('The clip')
  const near =
    contentId === undefined ? nearRanges(saved, known) : new Map([[contentId, everything]])
  return {
    transcripts: await transcriptsNear(ctx, accountId, { known, near }),
    cut_points: await cutPointsNear(ctx, accountId, { known, near }),
  }
}

/** Sources that were not transcribed have none. */
export async function readTranscripts(
  ctx: Context,
  accountId: string,
  saved: SavedCut,
): Promise<CutTranscript[]> {
  const contentIds = contentIdsOf(saved)
  const known = await findSources(ctx, accountId, { contentIds, saved: saved.sources })
  return transcriptsNear(ctx, accountId, { known, near: nearRanges(saved, known) })
}

interface Near {
  known: ReadonlyMap<string, KnownSource>
  /** The requested frames of each source, in order and disjoint. */
  near: ReadonlyMap<string, readonly FrameSpan[]>
}

const everything: readonly FrameSpan[] = [{ in: 0, out: Infinity }]

function contentIdsOf({ cut }: SavedCut): string[] {
  return cut.ranges.map((range) => range.content_id)
}

function nearRanges(
  { cut }: SavedCut,
  known: ReadonlyMap<string, KnownSource>,
): Map<string, readonly FrameSpan[]> {
  const ranges = Map.groupBy(cut.ranges, (range) => range.content_id)
  return new Map(
    [...known.values()].map((source) => {
      const margin = Math.round(toNumber(sourceRate(source)) * marginSeconds)
      const spans = (ranges.get(source.content_id) ?? []).map((range) => ({
        in: range.in - margin,
        out: range.out + margin,
      }))
      return [source.content_id, within(spans, { in: 0, out: Infinity })]
    }),
  )
}

async function transcriptsNear(
  ctx: Context,
  accountId: string,
  { known, near }: Near,
): Promise<CutTranscript[]> {
  const texts: CutTranscript[] = []
  for (const source of known.values()) {
    const text = await readTranscript(ctx, accountId, source)
    const isNear = inside(near.get(source.content_id) ?? [])
    if (text) texts.push({ ...text, words: text.words.filter(isNear) })
  }
  return texts
}

/** Weaker ones are no better than any frame; exports leave them out as well. */
const minScore = 0.5

async function cutPointsNear(
  ctx: Context,
  accountId: string,
  { known, near }: Near,
): Promise<CutPoints[]> {
  const points: CutPoints[] = []
  for (const source of known.values()) {
    const { cutpoints } = await findingsOf(ctx, accountId, { source, extractor: 'cutpoints' })
    const { talking } = await findingsOf(ctx, accountId, { source, extractor: 'talking' })
    if (!cutpoints && !talking) continue
    const silences = [
      ...(cutpoints?.removals ?? []).filter(({ kind }) => kind === 'silence'),
      ...(talking?.silence ?? []),
    ]
    const frames = [
      ...(cutpoints?.points ?? [])
        .filter(({ score }) => score >= minScore)
        .map((point) => point.frame),
      ...silences.flatMap((silence) => [silence.start_frame, silence.end_frame]),
    ]
    const isNear = inside(near.get(source.content_id) ?? [])
    const shown = [...new Set(frames)].sort((a, b) => a - b)
    points.push({
      content_id: source.content_id,
      frames: shown.filter((frame) => isNear({ in: frame, out: frame + 1 })),
    })
  }
  return points
}

async function findingsOf(
  ctx: Context,
  accountId: string,
  { source, extractor }: { source: KnownSource; extractor: 'cutpoints' | 'talking' },
): Promise<Partial<Findings>> {
  const id = source.jobs.get(extractor)
  return id === undefined ? {} : readFindings(ctx, { id, accountId }, extractor)
}

async function readTranscript(
  ctx: Context,
  accountId: string,
  source: KnownSource,
): Promise<CutTranscript | null> {
  const jobId = source.jobs.get('transcription')
  if (!jobId) return null
  const { transcription } = await readCorrected(ctx, { id: jobId, accountId }, 'transcription')
  if (!transcription) return null
  return {
    content_id: source.content_id,
    language: transcription.language,
    joiner: joinerOf(transcription),
    words: transcription.words.map((word) => ({
      text: word.text,
      in: word.start_frame,
      out: Math.max(word.end_frame, word.start_frame + 1),
      speaker: markedSpeaker(word),
    })),
  }
}

/**
 * Returns a function that says whether a span lies within one of these, which are in order and
 * disjoint.
 */
function inside(spans: readonly FrameSpan[]): (span: FrameSpan) => boolean {
  return (span) => {
    let [low, high] = [0, spans.length]
    while (low < high) {
      const half = (low + high) >> 1
      if (spans[half]!.out > span.in) high = half
      else low = half + 1
    }
    return (spans[low]?.in ?? Infinity) < span.out
  }
}
