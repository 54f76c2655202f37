/**
 * The only reader of addresses that users give. http(s) to public addresses: every address that a
 * name resolves to is checked, and the connection goes to the checked ones, so a second answer of
 * the name server changes nothing. Redirects are followed here, each checked like the first. Every
 * failure reads the same, so that nobody can map a network by our answers.
 */
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { dirname } from 'node:path'
import { Transform } from 'node:stream'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { request } from 'undici'
import type { Agent } from 'undici'
import { openAgent } from '../outbound/agent.ts'
import type { OutboundRules } from '../outbound/agent.ts'
import type { Config } from '../ground/config.ts'
import { Refusal } from '../ground/refusal.ts'
import { createReserveGuard } from '../storage/disk.ts'
import type { ReserveBytes } from '../storage/disk.ts'
import { nameFromDisposition } from './file-name.ts'
import { newWorkFile } from '../storage/scratch.ts'

export interface FetchedFile {
  path: string
  sizeBytes: number
  mimeType: string | null
  fileName: string | null
  release(): Promise<void>
}

export interface FetchLimits {
  signal?: AbortSignal
  maxBytes: number
  /** Minimal bytes in each stretch of time; tests shorten it. */
  pace?: { everyMs: number; minBytes: number }
}

export type FetchRules = OutboundRules

export const fetchFailure =
  'We could not fetch this address. It must be public, answer within seconds and send the file itself.'

const maxRedirects = 3
const wholeFetchMs = 2 * 3_600_000
/**
 * Half a Mbit a second. A job waits for its file in a worker's place, so a server that lets bytes
 * drip would keep everybody else out for hours.
 */
const standardPace = { everyMs: 30_000, minBytes: 30 * 64 * 1024 }

export async function fetchToFile(
  ctx: { config: FetchRules & Pick<Config, 'dataDir' | 'diskReserveBytes'> },
  url: string,
  limits: FetchLimits,
): Promise<FetchedFile> {
  const { diskReserveBytes: reserveBytes } = ctx.config
  const path = await newWorkFile(ctx.config)
  const release = (): Promise<void> => rm(path, { force: true })
  try {
    const opened = await openUrl(ctx.config, url, limits)
    try {
      const sizeBytes = await writeFile(opened.body, path, { ...limits, reserveBytes })
      const { mimeType, fileName } = opened
      return { path, sizeBytes, mimeType, fileName, release }
    } finally {
      await opened.close()
    }
  } catch (error) {
    await release()
    throw limits.signal?.aborted
      ? new Refusal('canceled', 'The fetch was canceled.')
      : refusalOf(error)
  }
}

export interface OpenedUrl {
  body: Readable
  mimeType: string | null
  fileName: string | null
  /** Size of the whole file; null if the server does not say. */
  sizeBytes: number | null
  /** Offset of the body in the file: the server may not support ranges. */
  firstByte: number
  close(): Promise<void>
}

/** The answer to a GET after redirects, its body unread. A server may send more than `range`. */
export async function openUrl(
  rules: FetchRules,
  url: string,
  options: { signal?: AbortSignal; maxBytes: number; range?: { first: number; last: number } },
): Promise<OpenedUrl> {
  const { range } = options
  const timeout = AbortSignal.timeout(wholeFetchMs)
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout
  let target = new URL(url)
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const agent = await agentFor(rules, target)
    try {
      const answer = await request(target, {
        dispatcher: agent,
        signal,
        headers: {
          'user-agent': 'CutIndex',
          accept: '*/*',
          'accept-encoding': 'identity',
          ...(range ? { range: `bytes=${range.first}-${range.last}` } : {}),
        },
      })
      const { statusCode, headers, body } = answer
      const location = headers.location
      if ([301, 302, 303, 307, 308].includes(statusCode) && typeof location === 'string') {
        target = new URL(location, target)
        body.on('error', () => undefined)
        await agent.destroy()
        continue
      }
      return describe(statusCode, headers, body, options, () => agent.destroy())
    } catch (error) {
      await agent.destroy()
      throw refusalOf(error)
    }
  }
  throw new Refusal('fetch_failed', fetchFailure)
}

async function agentFor(rules: FetchRules, target: URL): Promise<Agent> {
  const agent = await openAgent(rules, target)
  if (!agent) throw new Refusal('fetch_failed', fetchFailure)
  return agent
}

function describe(
  status: number,
  headers: IncomingHttpHeaders,
  body: Readable,
  { maxBytes }: { maxBytes: number },
  close: () => Promise<void>,
): OpenedUrl {
  const encoding = headers['content-encoding'] ?? 'identity'
  if ((status !== 200 && status !== 206) || encoding !== 'identity') {
    throw new Refusal('fetch_failed', fetchFailure)
  }
  const part = /^bytes (\d{1,15})-\d{1,15}\/(?:(\d{1,15})|\*)$/.exec(headers['content-range'] ?? '')
  const total = part?.[2]
  const length = total ?? (status === 200 ? headers['content-length'] : undefined)
  const sizeBytes = length === undefined ? null : Number(length)
  if (sizeBytes !== null && sizeBytes > maxBytes) throw tooLarge(maxBytes)
  const mimeType = /^\s*([\w.+-]+\/[\w.+-]+)/.exec(headers['content-type'] ?? '')?.[1] ?? null
  return {
    body,
    sizeBytes,
    firstByte: status === 206 ? Number(part?.[1] ?? 0) : 0,
    mimeType: mimeType?.toLowerCase().slice(0, 100) ?? null,
    fileName: nameFromDisposition(headers['content-disposition']),
    close,
  }
}

async function writeFile(
  body: Readable,
  path: string,
  limits: FetchLimits & { reserveBytes: ReserveBytes },
): Promise<number> {
  let sizeBytes = 0
  let paced = 0
  const { everyMs, minBytes } = limits.pace ?? standardPace
  const keepsReserve = createReserveGuard(dirname(path), limits.reserveBytes)
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sizeBytes += chunk.length
      if (sizeBytes > limits.maxBytes) return done(tooLarge(limits.maxBytes))
      const asking = keepsReserve(chunk.length)
      // oxlint-disable-next-line promise/no-callback-in-promise -- a transform ends by its callback
      if (asking) asking.then(() => done(null, chunk), done)
      else done(null, chunk)
    },
  })
  const pacer = setInterval(() => {
    if (sizeBytes - paced < minBytes) counted.destroy(new Refusal('fetch_failed', fetchFailure))
    paced = sizeBytes
  }, everyMs)
  try {
    await pipeline(body, counted, createWriteStream(path, { flags: 'wx' }))
  } finally {
    clearInterval(pacer)
  }
  if (sizeBytes === 0) throw new Refusal('fetch_failed', fetchFailure)
  return sizeBytes
}

/** One sentence for everything that can go wrong between us and an address. */
function refusalOf(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code
  if (error instanceof Refusal || code === 'ENOSPC' || code === 'EDQUOT') return error
  return new Refusal('fetch_failed', fetchFailure)
}

function tooLarge(maxBytes: number): Refusal {
  const gigabytes = Math.round((maxBytes / 1024 ** 3) * 10) / 10
  return new Refusal('too_large', `The file is larger than ${gigabytes} GB.`)
}
