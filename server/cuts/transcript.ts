/** The corrected words of a cut's sources, which the screen and the exports read as one text. */
import { joinerOf } from '../../contract/replace-words.ts'
import { sourceRate } from '../../contract/cut-times.ts'
import type { CutTranscript, FrameSpan } from '../../contract/cuts.ts'
import { toNumber } from '../../contract/rational.ts'
import { speakerName } from '../../contract/speakers.ts'
import type { Verb } from '../verb.ts'
import { readCorrected } from '../jobs/results.ts'
import type { Context } from '../process/context.ts'
import { notFound } from '../refusal.ts'
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
  if (contentId === undefined) return { transcripts: await readTranscripts(ctx, accountId, saved) }
  const found = await findSources(ctx, accountId, {
    contentIds: [contentId],
    saved: saved.sources,
  })
  const source = found.get(contentId)
  if (!source) throw notFound('The clip')
  const text = await readTranscript(ctx, accountId, source)
  return { transcripts: text ? [text] : [] }
}

/** Sources that were not transcribed have none. */
export async function readTranscripts(
  ctx: Context,
  accountId: string,
  { cut, sources: saved }: SavedCut,
): Promise<CutTranscript[]> {
  const contentIds = cut.ranges.map((range) => range.content_id)
  const sources = await findSources(ctx, accountId, { contentIds, saved })
  const ranges = Map.groupBy(cut.ranges, (range) => range.content_id)
  const texts: CutTranscript[] = []
  for (const source of sources.values()) {
    const text = await readTranscript(ctx, accountId, source)
    const margin = Math.round(toNumber(sourceRate(source)) * marginSeconds)
    const near = (ranges.get(source.content_id) ?? []).map((range) => ({
      in: range.in - margin,
      out: range.out + margin,
    }))
    if (text) texts.push({ ...text, words: text.words.filter((word) => reaches(word, near)) })
  }
  return texts
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
      speaker: word.speaker === null ? null : speakerName(word.speaker),
    })),
  }
}

function reaches(word: FrameSpan, spans: readonly FrameSpan[]): boolean {
  return spans.some((span) => word.in < span.out && word.out > span.in)
}
