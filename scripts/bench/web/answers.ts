/**
 * `npm run bench -- answers`: the findings of two hours (18,000 words, 2,000 shots) as the API
 * sends them: bytes plain and compressed, and the time of the whole answer as a ratio to a bare
 * server that sends the same plain bytes. The command fails where compressed bytes are more than a
 * fifth. Last, whether findings of this size belong in storage rather than in rows: reading and
 * parsing them from either, in turns.
 */
import { writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { buffer, text } from 'node:stream/consumers'
import type { Word } from '../../../domain/findings/findings.ts'
import { openWorks } from '../../../test/support/job-app.ts'
import type { Works } from '../../../test/support/job-app.ts'
import { inTurns, median, print, quantile, timed } from '../figures.ts'
import { startHttp } from '../../../test/support/http.ts'

const maxPart = 0.2
const [words, shots] = [18_000, 2000]
const seconds = 7200
const framesPerSecond = 25
const times = 9
const rounds = 15

export async function run(): Promise<void> {
  await using works = await openWorks()
  const user = await works.server.user()
  const { id } = await works.upload(user.token, works.clip)
  const job = await works.runJob(user, id, 'shots,transcription')
  await lengthen(works)
  const url = `${works.server.url}/v1/jobs/${job.id}/results`
  const headers = { authorization: `Bearer ${user.token}` }
  const plain = await measure(url, headers)
  await using bare = await startHttp((_request, response) => response.end(plain.body))
  const peer = await measure(bare.url, {})
  const sizeText = (bytes: number): string => `${(bytes / 1e6).toFixed(2)} MB`
  const ratio = (ms: number): string => `${(ms / peer.ms).toFixed(1)} × a bare server`
  console.log(`answers: plain ${sizeText(plain.body.length)}, ${ratio(plain.ms)}`)
  for (const encoding of ['br', 'gzip']) {
    const packed = await measure(url, { ...headers, 'accept-encoding': encoding })
    const part = packed.body.length / plain.body.length
    const more = `${sizeText(packed.body.length)}, ${ratio(packed.ms)}`
    print(`answers: ${encoding} / plain`, part, { max: maxPart }, more)
  }
  await compareRowsWithStorage(works)
}

/** Findings move to storage when rows take this many times as long. */
const maxRowsRatio = 2

async function compareRowsWithStorage({ server }: Works): Promise<void> {
  const { db, storage } = server.ctx
  const { id, findings } = await db
    .selectFrom('job_results')
    .select(['id', 'findings'])
    .where('extractor', '=', 'transcription')
    .executeTakeFirstOrThrow()
  const key = 'bench/findings.json'
  const stage = await storage.stage(key)
  await writeFile(stage.path, JSON.stringify(findings))
  await stage.commit()
  const times = await inTurns(rounds, {
    rows: () =>
      timed(() => db.selectFrom('job_results').select('findings').where('id', '=', id).execute()),
    storage: () => timed(async () => JSON.parse(await text(await storage.read(key))) as unknown),
  })
  const [rows, stored] = [median(times.rows), median(times.storage)]
  const more = `${rows.toFixed(1)} and ${stored.toFixed(1)} ms`
  const name = 'answers: findings of two hours from a row / from storage'
  print(name, rows / stored, { max: maxRowsRatio }, more)
}

/** Puts findings of two hours in the place of those of the clip, in the form that they have. */
async function lengthen({ server }: Works): Promise<void> {
  const { db } = server.ctx
  const rows = await db.selectFrom('job_results').select(['id', 'extractor', 'findings']).execute()
  for (const { id, extractor, findings } of rows) {
    const lists = findings as Record<string, unknown[]>
    if (extractor === 'shots') lists['shots'] = repeat(lists['shots'] ?? [], shots)
    else if (extractor === 'transcription') lists['words'] = Array.from({ length: words }, word)
    await db
      .updateTable('job_results')
      .set({ findings: JSON.stringify(lists) })
      .where('id', '=', id)
      .execute()
  }
}

function repeat(list: readonly unknown[], count: number): unknown[] {
  return Array.from({ length: count }, (_, index) => ({
    ...(list[index % Math.max(1, list.length)] as object),
    index,
    start_frame: index * 90,
    end_frame: (index + 1) * 90,
  }))
}

function word(_: unknown, index: number): Word {
  const startFrame = Math.round((index * seconds * framesPerSecond) / words)
  const endFrame = startFrame + 8
  return {
    text: Math.abs(Math.imul(index + 1, 2_654_435_761))
      .toString(36)
      .slice(-5),
    confidence: ((index * 7919) % 1000) / 1000,
    speaker: null,
    start_frame: startFrame,
    end_frame: endFrame,
    start_time: `${startFrame}/${framesPerSecond}`,
    end_time: `${endFrame}/${framesPerSecond}`,
    start: startFrame / framesPerSecond,
    end: endFrame / framesPerSecond,
  }
}

async function measure(url: string, headers: Record<string, string>) {
  const taken: number[] = []
  let body: Buffer = Buffer.alloc(0)
  for (let time = 0; time < times; time++) {
    const from = performance.now()
    body = await read(url, headers)
    taken.push(performance.now() - from)
  }
  return { body, ms: quantile(taken, 0.5) }
}

/** The bytes as they come; `fetch` would unpack them. */
async function read(url: string, headers: Record<string, string>): Promise<Buffer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers }, resolve).on('error', reject)
  })
  const body = await buffer(response)
  if (response.statusCode !== 200) throw new Error(`${response.statusCode}: ${body.toString()}`)
  return body
}
