/**
 * Processor time of an upload per gigabyte, plain and resumable in the web's pieces, as ratios to a
 * bare `node:http` server that writes the same stream to the same disk with a sha256, and how far
 * the server's memory grows. Rounds alternate; the server's own process is counted, not the
 * database nor the probe's tools. `npm run bench -- upload [gigabytes] [rounds]`
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { contentLimits } from '../../../domain/money/catalogue.ts'
import { startApiProcess } from '../../../test/support/api-process.ts'
import { freePort, startTestServer } from '../../../test/support/app.ts'
import { cpuOfProcess } from '../cpu.ts'
import { median, print } from '../figures.ts'

const limits = { plain: 1.15, resumable: 1.5, growthMb: 100 }
const chunkBytes = 256 * 1024
/** As long as the ones that browsers make. */
const boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gWk'

export async function run(args: string[] = []): Promise<void> {
  const gigabytes = Number(args[0] ?? 1)
  const rounds = Number(args[1] ?? 3)
  await using server = await startTestServer()
  await using ours = await startApiProcess(server)
  await using bare = await startBare(server.ctx.config.dataDir)
  const { token } = await server.user()
  const path = '/v1/content/upload'
  const ways = {
    plain: (size: number) => sendFile(ours.url + path, token, size),
    resumable: (size: number) => sendPieces(ours.url, token, size),
    bare: (size: number) => sendFile(bare.url, token, size),
  }
  // Compiles and opens everything before the first gigabyte.
  for (const send of Object.values(ways)) await send(64 * 1024 ** 2)
  const ratios: Record<'plain' | 'resumable', number[]> = { plain: [], resumable: [] }
  let growth = 0
  for (let round = 0; round < rounds; round += 1) {
    const size = gigabytes * 1024 ** 3
    const plain = await measure(ours.pid, () => ways.plain(size))
    const resumable = await measure(ours.pid, () => ways.resumable(size))
    const theirs = await measure(bare.pid, () => ways.bare(size))
    growth = Math.max(growth, plain.growthBytes, resumable.growthBytes)
    ratios.plain.push(plain.cpuSeconds / theirs.cpuSeconds)
    ratios.resumable.push(resumable.cpuSeconds / theirs.cpuSeconds)
    console.log(
      `upload round ${round + 1}: ${perGigabyte(plain)} s of CPU per GB,` +
        ` resumable ${perGigabyte(resumable)}, bare ${perGigabyte(theirs)};` +
        ` memory +${megabytes(plain.growthBytes)}, resumable +${megabytes(resumable.growthBytes)},` +
        ` bare +${megabytes(theirs.growthBytes)} MB`,
    )
  }
  for (const way of ['plain', 'resumable'] as const) {
    const name = `upload: ${way}: CPU per GB / bare node:http with sha256`
    print(name, median(ratios[way]), { max: limits[way] })
  }
  print(`upload: MB of memory over ${gigabytes} GB`, growth / 1024 ** 2, { max: limits.growthMb })
  function perGigabyte(input: { cpuSeconds: number }): string {
    return (input.cpuSeconds / gigabytes).toFixed(2)
  }
}

export async function startBare(
  dir: string,
  { program = 'upload-bare-server.ts', args = [] }: { program?: string; args?: string[] } = {},
): Promise<AsyncDisposable & { url: string; pid: number }> {
  const port = await freePort()
  const file = join(import.meta.dirname, program)
  const child = spawn(process.execPath, [file, String(port), join(dir, program), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return {
    url: `http://127.0.0.1:${port}/`,
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

/** Sends a form with one file of this size: a random block, numbered so that no two are alike. */
export async function sendFile(url: string, token: string, size: number): Promise<void> {
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="rushes.bin"\r\n\r\n`
  const tail = `\r\n--${boundary}--\r\n`
  const sending = request(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': head.length + size + tail.length,
    },
  })
  const answered = once(sending, 'response')
  const body = (function* () {
    yield Buffer.from(head)
    yield* blocks(size)
    yield Buffer.from(tail)
  })()
  await pipeline(body, sending)
  await readAnswer(answered)
}

/** By tus, in the pieces that the web sends; returns how long the last one took to be answered. */
export async function sendPieces(house: string, token: string, size: number): Promise<number> {
  const common = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' }
  const created = await fetch(`${house}/v1/content/resumable`, {
    method: 'POST',
    headers: {
      ...common,
      'upload-length': String(size),
      'upload-metadata': `filename ${Buffer.from('rushes.bin').toString('base64')}`,
    },
  })
  if (created.status !== 201) throw new Error(`The upload got ${created.status}.`)
  const { pathname } = new URL(created.headers.get('location') ?? '')
  const agent = new Agent({ keepAlive: true })
  const { resumableFromBytes: pieceBytes } = contentLimits
  let sentAtMs = 0
  for (let offset = 0; offset < size; offset += pieceBytes) {
    const length = Math.min(pieceBytes, size - offset)
    const sending = request(house + pathname, {
      method: 'PATCH',
      agent,
      headers: {
        ...common,
        'content-type': 'application/offset+octet-stream',
        'upload-offset': offset,
        'content-length': length,
      },
    })
    const answered = once(sending, 'response')
    await pipeline(blocks(length, offset), sending)
    sentAtMs = performance.now()
    await readAnswer(answered)
  }
  agent.destroy()
  return performance.now() - sentAtMs
}

function* blocks(size: number, start = 0): Generator<Buffer> {
  const block = randomBytes(chunkBytes)
  for (let sent = 0; sent < size; sent += chunkBytes) {
    block.writeDoubleLE(start + sent, 0)
    yield Buffer.from(block.subarray(0, Math.min(chunkBytes, size - sent)))
  }
}

async function readAnswer(answered: Promise<unknown[]>): Promise<void> {
  const [response] = (await answered) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
  if ((response.statusCode ?? 500) >= 300) throw new Error(`The upload got ${response.statusCode}.`)
}

export async function measure(
  pid: number,
  work: () => Promise<unknown>,
): Promise<{ cpuSeconds: number; growthBytes: number }> {
  const before = await usage(pid)
  let peakBytes = before.memoryBytes
  const timer = setInterval(() => {
    void usage(pid).then(({ memoryBytes }) => (peakBytes = Math.max(peakBytes, memoryBytes)))
  }, 1000)
  await work()
  clearInterval(timer)
  const afterwards = await usage(pid)
  return {
    cpuSeconds: afterwards.cpuSeconds - before.cpuSeconds,
    growthBytes: peakBytes - before.memoryBytes,
  }
}

async function usage(pid: number): Promise<{ cpuSeconds: number; memoryBytes: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const memoryKilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0)
  return { cpuSeconds: await cpuOfProcess(pid), memoryBytes: memoryKilobytes * 1024 }
}

function megabytes(bytes: number): string {
  return (bytes / 1024 ** 2).toFixed(0)
}
