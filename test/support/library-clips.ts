/** Clips in an account's library with findings that a test chose, without running a job. */
import { createHash, randomUUID } from 'node:crypto'
import { extractorIds } from '../../domain/money/catalogue.ts'
import type { ExtractorId } from '../../domain/money/catalogue.ts'
import type { FindingsOf, Media } from '../../domain/findings/findings.ts'
import { noCorrections } from '../../domain/findings/no-corrections.ts'
import {
  divide,
  formatRational,
  parseRational,
  rational,
  toNumber,
} from '../../domain/time/rational.ts'
import { indexResult } from '../../server/results/index-passages.ts'
import type { TestServer, TestUser } from './app.ts'

export interface ClipSettings {
  name: string
  frames: number
  /** Frames per second, as a fraction. */
  rate?: string
  projectId?: string | null
  media?: Partial<Media>
  /** Each word with its first frame and the frame after its last; none: not transcribed. */
  words?: readonly [text: string, from: number, to: number, speaker?: string][]
}

export interface LibraryClip {
  contentId: string
  jobId: string
}

export async function addClip(
  server: TestServer,
  user: TestUser,
  clip: ClipSettings,
): Promise<LibraryClip> {
  const { db } = server.ctx
  const { accountId } = user
  const [contentId, jobId] = [randomUUID(), randomUUID()]
  const media = JSON.stringify(mediaOf(clip))
  const sha256 = createHash('sha256').update(contentId).digest()
  const now = server.ctx.now()
  const canonicalUrl = `https://media.example.com/${contentId}.mov`
  await db
    .insertInto('content')
    .values({
      id: contentId,
      account_id: accountId,
      project_id: clip.projectId ?? null,
      content_type: 'url',
      file_name: clip.name,
      canonical_url: canonicalUrl,
      file_size: 1000,
      sha256,
      media,
      check_state: 'ready',
      created_at: now,
      last_used_at: now,
    })
    .execute()
  await db
    .insertInto('jobs')
    .values({
      id: jobId,
      account_id: accountId,
      status: 'completed',
      content_id: contentId,
      content_url: canonicalUrl,
      content_name: clip.name,
      content_sha256: sha256.toString('hex'),
      media,
      workflow: 'transcription',
      price_version: 'test',
      quoted_seconds: 0,
      media_seconds: 0,
      held_micros: 0,
      created_at: now,
      started_at: now,
      finished_at: now,
    })
    .execute()
  if (clip.words) await addTranscript({ server, accountId, jobId, sha256, clip, media })
  return { contentId, jobId }
}

/** Writes what an extractor found in a clip, and what search finds of it. */
export async function addFindings<K extends ExtractorId>(
  server: TestServer,
  user: Pick<TestUser, 'accountId'>,
  { jobId, extractor, findings }: { jobId: string; extractor: K; findings: FindingsOf<K> },
): Promise<void> {
  const { db } = server.ctx
  const job = await db
    .selectFrom('jobs')
    .select(['content_sha256', 'media'])
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow()
  await db.transaction().execute(async (trx) => {
    const { id } = await trx
      .insertInto('job_results')
      .values({
        account_id: user.accountId,
        content_sha256: job.content_sha256 ?? '',
        extractor,
        version: 'test',
        params: '{}',
        findings: JSON.stringify(findings),
        media: JSON.stringify(job.media),
        seconds: 1,
        created_at: server.ctx.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await trx
      .insertInto('job_extractors')
      .values({
        job_id: jobId,
        extractor,
        position: 9 + extractorIds.indexOf(extractor),
        status: 'done',
        progress: 1,
        micros_per_second: 0,
        quoted_micros: 0,
        result_id: id,
      })
      .execute()
    const result = { id, accountId: user.accountId, findings, media: job.media }
    await indexResult(trx, { ...result, extractor }, noCorrections)
  })
}

export function mediaOf({ frames, rate = '25/1', media }: ClipSettings): Media {
  const duration = divide(rational(frames), parseRational(rate)!)
  return {
    kind: 'video',
    container: 'mov',
    duration: toNumber(duration),
    duration_time: formatRational(duration),
    frames,
    frame_rate: rate,
    variable_frame_rate: false,
    time_base: null,
    start_timecode: null,
    drop_frame: false,
    reel: null,
    width: 1920,
    height: 1080,
    rotation: 0,
    pixel_aspect: null,
    video_codec: 'h264',
    audio: [
      {
        index: 1,
        codec: 'aac',
        channels: 2,
        layout: 'stereo',
        sample_rate: 48_000,
        language: null,
        title: null,
      },
    ],
    pages: null,
    ...media,
  }
}

/** Words as the recogniser would have written them. */
export function transcriptOf({
  rate = '25/1',
  words = [],
}: ClipSettings): FindingsOf<'transcription'> {
  const exact = parseRational(rate)!
  const span = (from: number, to: number) => {
    const [start, end] = [divide(rational(from), exact), divide(rational(to), exact)]
    return {
      start_frame: from,
      end_frame: to,
      start_time: formatRational(start),
      end_time: formatRational(end),
      start: toNumber(start),
      end: toNumber(end),
    }
  }
  const text = words.map(([word]) => word).join(' ')
  const [first, last] = [words[0], words.at(-1)]
  const whole =
    first && last
      ? [{ ...span(first[1], last[2]), text, first_word: 0, last_word: words.length - 1 }]
      : []
  return {
    language: 'en',
    language_confidence: 1,
    text,
    words: words.map(([word, from, to, speaker]) => ({
      ...span(from, to),
      text: word,
      confidence: 0.9,
      speaker: speaker ?? null,
    })),
    sentences: whole,
    paragraphs: whole,
    model: 'test',
    word_times: 'aligned',
  }
}

async function addTranscript(input: {
  server: TestServer
  accountId: string
  jobId: string
  sha256: Buffer
  clip: ClipSettings
  media: string
}): Promise<void> {
  const { db } = input.server.ctx
  const { id: resultId } = await db
    .insertInto('job_results')
    .values({
      account_id: input.accountId,
      content_sha256: input.sha256.toString('hex'),
      extractor: 'transcription',
      version: 'test',
      params: '{}',
      findings: JSON.stringify(transcriptOf(input.clip)),
      media: input.media,
      seconds: 1,
      created_at: input.server.ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('job_extractors')
    .values({
      job_id: input.jobId,
      extractor: 'transcription',
      position: 0,
      status: 'done',
      progress: 1,
      micros_per_second: 0,
      quoted_micros: 0,
      result_id: resultId,
    })
    .execute()
}
