/** Words where a clip has only a tone, as the recogniser would have written them. */
import type { FindingsOf } from '../../domain/findings/findings.ts'
import { openShelf } from '../../server/results/index-passages.ts'
import type { TestServer } from './app.ts'

export interface SpokenWord {
  text: string
  /** At 25 frames a second; each word lasts ten. */
  frame: number
  speaker?: string
}

export async function setTranscript(
  server: TestServer,
  { jobId, accountId }: { jobId: string; accountId: string },
  spoken: readonly SpokenWord[],
  spokenIn: Pick<FindingsOf<'transcription'>, 'language' | 'translation'> = { language: 'en' },
): Promise<void> {
  const { db } = server.ctx
  const words = spoken.map(({ text, frame, speaker = null }) => ({
    text,
    confidence: 0.9,
    speaker,
    start_frame: frame,
    end_frame: frame + 10,
    start_time: `${frame}/25`,
    end_time: `${frame + 10}/25`,
    start: frame / 25,
    end: (frame + 10) / 25,
  }))
  const text = words.map((word) => word.text).join(' ')
  const [first, last] = [words[0]!, words.at(-1)!]
  const { confidence: _, speaker: __, ...start } = first
  const sentence = {
    ...start,
    text,
    end_frame: last.end_frame,
    end_time: last.end_time,
    end: last.end,
    first_word: 0,
    last_word: words.length - 1,
  }
  const findings: FindingsOf<'transcription'> = {
    ...spokenIn,
    language_confidence: 1,
    text,
    words,
    sentences: [sentence],
    paragraphs: [sentence],
    model: 'test',
    word_times: 'aligned',
  }
  const { result_id: resultId } = await db
    .selectFrom('job_extractors')
    .select('result_id')
    .where('job_id', '=', jobId)
    .where('extractor', '=', 'transcription')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('job_results')
    .set({ findings: JSON.stringify(findings) })
    .where('id', '=', resultId)
    .execute()
  let place = 0
  const starts = words.map((word) => {
    const at = [place, word.start_frame, word.start]
    place += word.text.length + 1
    return at
  })
  await db
    .insertInto('job_passages')
    .values({
      result_id: resultId!,
      account_id: accountId,
      kind: 'word',
      start_frame: first.start_frame,
      end_frame: last.end_frame,
      start_seconds: first.start,
      text,
      words: JSON.stringify(starts),
      shelf: await openShelf(db, accountId),
    })
    .execute()
}
