/**
 * `cutindex watch`: every new file of a folder is uploaded, analysed and exported, once.
 *
 * A file is taken when its size and time have not changed for a while. Its key is the hash of its
 * bytes: the upload's and the job's Idempotency-Key are made from it, so a run that was killed at
 * any step finds what it made before. The journal is appended and synced to disk after each step:
 *
 *   content: the bytes are in the library      job: the analysis was placed
 *   done: every export lies beside the file    failed: refused, or the job failed; not tried again
 *
 * An entry is about the extractors and formats that were asked for: with others a file is new, but
 * is not uploaded again. Journal and lock lie in the folder of the exports, so that a card which is
 * read-only can be watched with --out.
 *
 * With the journal lost, the service still knows the bytes (one item) and the job of that item with
 * the same extractors, which is taken over instead of a second one.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, readFile, stat, utimes } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { footageName } from '../../domain/file-kinds.ts'
import type { Job } from '../../contract/footage/jobs.ts'
import { CutIndexError, JobFailed } from '../cutindex.ts'
import { quoteWithin } from '../run-job.ts'
import type { CutIndex } from '../cutindex.ts'
import { openFile } from '../files.ts'
import { writeExports } from './analyse.ts'
import type { Order } from './analyse.ts'
import { writeWhole } from './key-file.ts'
import { makeFolder } from './make-folder.ts'
import type { Output } from './output.ts'
import { UsageError } from './usage.ts'
import { optionsOf } from '../../domain/job-options.ts'

const scanMs = 500
/** After a failure that may pass: no connection, no credit, a limit, a full disk. */
const firstPauseMs = 10_000
const maxPauseMs = 10 * 60_000

interface Entry {
  /** The file as it was: path in the folder, size and time. */
  file: string
  size: number
  mtimeMs: number
  sha256: string
  workflow: string
  formats: string
  /** Options of the job, as JSON; absent where none is set. */
  speech?: string
  contentId?: string
  jobId?: string
  state: 'content' | 'job' | 'done' | 'failed'
}

export async function watchFolder(
  client: CutIndex,
  folder: string,
  {
    order,
    settleMs,
    once,
    output,
    signal,
  }: {
    order: Order
    settleMs: number
    once: boolean
    output: Output
    signal: AbortSignal
  },
): Promise<number> {
  if (!(await stat(folder).catch(() => null))?.isDirectory()) {
    throw new UsageError(`There is no folder ${folder}.`, 5)
  }
  const base = await stateBase(folder, order.out)
  const release = await lock(`${base}.lock`)
  const journal = await openJournal(`${base}.jsonl`, order)
  const seen = new Map<string, { size: number; mtimeMs: number; sinceMs: number }>()
  const busy = new Map<string, Promise<void>>()
  const failed = new Map<string, { times: number; untilMs: number }>()
  if (!once) output.note(`Watching ${folder}. Press Ctrl-C to stop.`)
  if ((await scan(folder)).length === 0) {
    output.note(`There is no footage in ${folder} yet. Folders within it are not watched.`)
  }
  try {
    while (!signal.aborted) {
      const files = await scan(folder)
      let open = busy.size
      for (const { file, size, mtimeMs } of files) {
        const problem = failed.get(file)
        if (problem && (once || Date.now() < problem.untilMs)) continue
        if (busy.has(file) || journal.isOver(file, size, mtimeMs)) continue
        open += 1
        const before = seen.get(file)
        if (!before || before.size !== size || before.mtimeMs !== mtimeMs) {
          seen.set(file, { size, mtimeMs, sinceMs: Date.now() })
          continue
        }
        if (Date.now() - before.sinceMs < settleMs || busy.size >= order.parallel) continue
        const work = handle(
          client,
          { folder, file, size, mtimeMs },
          { order, journal, output, signal },
        )
          .then(() => void failed.delete(file))
          .catch((error: unknown) => {
            if (signal.aborted) return
            output.problem(file, error)
            const times = (problem?.times ?? 0) + 1
            const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** (times - 1))
            failed.set(file, { times, untilMs: Date.now() + pauseMs })
          })
          .finally(() => busy.delete(file))
        busy.set(file, work)
      }
      if (once && open === 0) break
      await wait(scanMs, undefined, { signal }).catch(() => undefined)
    }
    await Promise.all(busy.values())
  } finally {
    await journal.close()
    await release()
  }
  if (signal.aborted) return 130
  return failed.size > 0 ? 6 : 0
}

/**
 * Path prefix of the journal and the lock: beside the exports, under a name of the folder's own.
 */
async function stateBase(folder: string, out: string | undefined): Promise<string> {
  if (out === undefined) return join(folder, '.cutindex-watch')
  await makeFolder(out)
  const digest = createHash('sha256').update(resolve(folder)).digest('hex')
  return join(out, `.cutindex-watch-${digest.slice(0, 12)}`)
}

async function handle(
  client: CutIndex,
  { folder, ...at }: { folder: string; file: string; size: number; mtimeMs: number },
  work: { order: Order; journal: Journal; output: Output; signal: AbortSignal },
): Promise<void> {
  const { order, journal, output, signal } = work
  const path = join(folder, at.file)
  const sha256 = await hashOf(path)
  const entry: Entry = {
    ...at,
    sha256,
    ...journal.known(sha256),
    ...orderKey(order),
    state: 'content',
  }
  const upload = async (idempotencyKey: string): Promise<string> => {
    const item = await client.content.upload(await openFile(path), {
      signal,
      idempotencyKey,
      onProgress: (sent, total) =>
        output.progress(at.file, { phase: 'uploading', share: total ? sent / total : 1 }),
    })
    entry.contentId = item.id
    await journal.write(entry)
    return item.id
  }
  try {
    const contentId = (entry.contentId ??= await upload(`watch-upload-${sha256}`))
    const place = async (isAgain: boolean): Promise<string> => {
      const placed = { sha256, order, signal, isAgain }
      const jobId = await placeJob(client, contentId, placed).catch(async (error: unknown) => {
        if (!isMissing(error)) throw error
        // The item was deleted since; the service would repeat its answer to the first key.
        return placeJob(client, await upload(crypto.randomUUID()), placed)
      })
      entry.jobId = jobId
      await journal.write({ ...entry, state: 'job' })
      return jobId
    }
    const waitFor = (id: string): Promise<Job> =>
      client.jobs.wait(id, {
        signal,
        onProgress: (progress) => output.progress(at.file, progress),
      })
    const job = await waitFor(entry.jobId ?? (await place(false))).catch(async (error: unknown) => {
      if (!isMissing(error)) throw error
      // The job was deleted since; the service would repeat its answer to the first key.
      return await waitFor(await place(true))
    })
    const target = { jobId: job.id, target: at.file, folder: order.out ?? folder }
    const files = await writeExports(client, target, order.formats)
    await journal.write({ ...entry, state: 'done' })
    const value = { name: at.file, job_id: job.id, cost_usd: job.cost_usd, files }
    output.result(`${at.file}: ${job.status}, charged $${job.cost_usd}, job ${job.id}`, value)
  } catch (error) {
    if (isFinal(error) && !signal.aborted) await journal.write({ ...entry, state: 'failed' })
    throw error
  }
}

function orderKey(order: Order): Pick<Entry, 'workflow' | 'formats' | 'speech'> {
  return {
    workflow: order.extractors.join(','),
    formats: order.formats.join(','),
    speech: keyOf(order.options),
  }
}

function keyOf(options: Parameters<typeof optionsOf>[0]): string | undefined {
  const text = JSON.stringify(optionsOf(options))
  return text === '{}' ? undefined : text
}

/** Takes over a job of these bytes with the same request, or places one under one key. */
async function placeJob(
  client: CutIndex,
  contentId: string,
  {
    sha256,
    order,
    signal,
    isAgain,
  }: { sha256: string; order: Order; signal: AbortSignal; isAgain: boolean },
): Promise<string> {
  const { workflow, speech } = orderKey(order)
  const body = { content_id: contentId, workflow, ...order.options }
  for await (const job of client.jobs.list({ content_id: contentId })) {
    const isSame = job.workflow === workflow && keyOf(job) === speech
    if (isSame && !['failed', 'canceled'].includes(job.status)) return job.id
  }
  const quoted =
    order.maxUsd === undefined ? {} : await quoteWithin(client.api, body, order.maxUsd, signal)
  const identity = `${sha256} ${contentId} ${workflow}${speech ? ` ${speech}` : ''}`
  const digest = createHash('sha256').update(identity).digest('hex')
  // Each quote has another id, and the same key must come with the same call.
  const isOther = isAgain || order.maxUsd !== undefined
  const idempotencyKey = isOther ? crypto.randomUUID() : `watch-job-${digest}`
  const { job } = await client.api.createJob(
    { body: { ...body, ...quoted } },
    { idempotencyKey, signal },
  )
  return job.id
}

function isMissing(error: unknown): boolean {
  return error instanceof CutIndexError && error.status === 404
}

/** They pass: another upload ends, room is made, a limit is raised. */
const passing = new Set<CutIndexError['code']>(['in_flight', 'conflict', 'limit_reached'])

/** True if the same file would be refused again. */
function isFinal(error: unknown): boolean {
  if (error instanceof JobFailed) return true
  if (!(error instanceof CutIndexError) || passing.has(error.code)) return false
  // 413 is a file above the limit, or a library without room for it.
  return [404, 409, 415, 422].includes(error.status)
}

async function scan(folder: string): Promise<{ file: string; size: number; mtimeMs: number }[]> {
  const files: { file: string; size: number; mtimeMs: number }[] = []
  for (const name of (await readdir(folder)).sort()) {
    if (name.startsWith('.') || !footageName.test(name)) continue
    const info = await stat(join(folder, name)).catch(() => null)
    if (info?.isFile() && info.size > 0) {
      files.push({ file: name, size: info.size, mtimeMs: info.mtimeMs })
    }
  }
  return files
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

interface Journal {
  /** The file as it is was handled to its end. */
  isOver: (file: string, size: number, mtimeMs: number) => boolean
  /** Ids of what these bytes became before. */
  known: (sha256: string) => { contentId?: string; jobId?: string }
  write: (entry: Entry) => Promise<void>
  close: () => Promise<void>
}

async function openJournal(path: string, order: Order): Promise<Journal> {
  const { workflow, formats, speech } = orderKey(order)
  const isSameJob = (entry: Entry): boolean =>
    entry.workflow === workflow && entry.speech === speech
  const byFile = new Map<string, Entry>()
  const byBytes = new Map<string, Entry>()
  const keep = (entry: Entry): void => {
    byFile.set(entry.file, entry)
    byBytes.set(entry.sha256, entry)
  }
  for (const line of (await readFile(path, 'utf8').catch(() => '')).split('\n')) {
    try {
      keep(JSON.parse(line) as Entry)
    } catch {
      // The last line of a process that was killed while it wrote; its step is simply done again.
    }
  }
  // Begin with one line for each file, so that the journal does not grow forever.
  const lines = [...byFile.values()].map((entry) => `${JSON.stringify(entry)}\n`)
  await writeWhole(path, lines.join(''), 0o600)
  const file: FileHandle = await open(path, 'a')
  let writing: Promise<unknown> = Promise.resolve()
  return {
    isOver(name, size, mtimeMs) {
      const entry = byFile.get(name)
      if (entry?.size !== size || entry.mtimeMs !== mtimeMs) return false
      if (!isSameJob(entry) || entry.formats !== formats) return false
      return entry.state === 'done' || entry.state === 'failed'
    },
    known(sha256) {
      const entry = byBytes.get(sha256)
      if (!entry || entry.state === 'failed') return {}
      return { contentId: entry.contentId, jobId: isSameJob(entry) ? entry.jobId : undefined }
    },
    async write(entry) {
      keep({ ...entry })
      const append = async (): Promise<void> => {
        await file.appendFile(`${JSON.stringify(entry)}\n`)
        await file.datasync()
      }
      const mine = writing.then(append)
      writing = mine.catch(() => undefined)
      await mine
    },
    async close() {
      await writing
      await file.close()
    },
  }
}

const lockBeatMs = 5_000
const maxLockAgeMs = 30_000

/**
 * Allows one watcher for a folder; it renews its lock every few seconds. A lock that is no longer
 * renewed, or whose process on this computer has ended, is taken over: after a power cut another
 * process may have its number.
 */
async function lock(path: string): Promise<() => Promise<void>> {
  const mine = `${process.pid} ${hostname()}\n`
  const text = await readFile(path, 'utf8').catch(() => '0')
  const ageMs = Date.now() - ((await stat(path).catch(() => null))?.mtimeMs ?? 0)
  const [pid = '0', host = hostname()] = text.trim().split(' ')
  const isHere = host === hostname()
  const isAlive = ageMs < maxLockAgeMs && (!isHere || isRunning(Number(pid)))
  if (Number(pid) && text !== mine && isAlive) {
    const where = isHere ? '' : ` on ${host}`
    throw new UsageError(`Process ${pid}${where} watches this folder already.`)
  }
  await writeWhole(path, mine, 0o600)
  const beat = setInterval(() => {
    const now = new Date()
    utimes(path, now, now).catch(() => undefined)
  }, lockBeatMs)
  return async () => {
    clearInterval(beat)
    await writeWhole(path, '0\n', 0o600)
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
