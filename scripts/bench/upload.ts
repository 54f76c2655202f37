/**
 * Processor time of an upload per gigabyte, as a ratio to a bare `node:http` server that writes the
 * same stream to the same disk with a sha256, and how far the server's memory grows. Rounds
 * alternate; the server's own process is counted, not the database nor the probe's tools.
 * `npm run bench -- upload [gigabytes] [rounds]`
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { startApiProcess } from '../../test/support/api-process.ts'
import { freePort, startTestServer } from '../../test/support/app.ts'

const target = { ratio: 1.15, growthBytes: 100 * 1024 ** 2 }
const chunkBytes = 256 * 1024
const ticksPerSecond = 100
/** As long as the ones that browsers make. */
const boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gWk'

export async function run(args: string[] = []): Promise<void> {
  const gigabytes = Number(args[0] ?? 1)
  const rounds = Number(args[1] ?? 3)
  const server = await startTestServer()
  const ours = await startApiProcess(server)
  const bare = await startBare(server.ctx.config.dataDir)
  try {
    const { token } = await server.user()
    const send = (url: string, size: number): Promise<void> => sendFile(url, token, size)
    const path = '/v1/content/upload'
    // What is compiled and opened on first use belongs to no gigabyte.
    for (const url of [ours.url + path, bare.url]) await send(url, 64 * 1024 ** 2)
    const ratios: number[] = []
    let growth = 0
    for (let round = 0; round < rounds; round += 1) {
      const size = gigabytes * 1024 ** 3
      const mine = await measure(ours.pid, () => send(ours.url + path, size))
      const theirs = await measure(bare.pid, () => send(bare.url, size))
      growth = Math.max(growth, mine.growthBytes)
      ratios.push(mine.cpuSeconds / theirs.cpuSeconds)
      console.log(
        `upload round ${round + 1}: ${perGigabyte(mine)} s of CPU per GB, bare ${perGigabyte(theirs)};` +
          ` memory +${megabytes(mine.growthBytes)} MB, bare +${megabytes(theirs.growthBytes)} MB`,
      )
    }
    const ratio = ratios.sort((a, b) => a - b)[ratios.length >> 1] ?? 0
    console.log(
      `upload: CPU per GB / bare node:http with sha256 = ${ratio.toFixed(2)}` +
        ` (target ≤ ${target.ratio}: ${ratio <= target.ratio ? 'met' : 'MISSED'};` +
        ` memory grows by ${megabytes(growth)} MB over ${gigabytes} GB,` +
        ` target < 100: ${growth < target.growthBytes ? 'met' : 'MISSED'})`,
    )
    function perGigabyte(input: { cpuSeconds: number }): string {
      return (input.cpuSeconds / gigabytes).toFixed(2)
    }
  } finally {
    await ours.stop()
    bare.child.kill()
    await once(bare.child, 'exit')
    await server.stop()
  }
}

async function startBare(dir: string): Promise<{ url: string; pid: number; child: ChildProcess }> {
  const port = await freePort()
  const program = join(import.meta.dirname, 'upload-bare-server.ts')
  const child = spawn(process.execPath, [program, String(port), join(dir, 'bare')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return { url: `http://127.0.0.1:${port}/`, pid: child.pid ?? 0, child }
}

/** A multipart form with one file of this size: a random block, numbered so that no two are alike. */
async function sendFile(url: string, token: string, size: number): Promise<void> {
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
    const block = randomBytes(chunkBytes)
    for (let sent = 0; sent < size; sent += chunkBytes) {
      block.writeDoubleLE(sent, 0)
      yield Buffer.from(block)
    }
    yield Buffer.from(tail)
  })()
  await pipeline(body, sending)
  const [response] = (await answered) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
  if ((response.statusCode ?? 500) >= 300) throw new Error(`The upload got ${response.statusCode}.`)
}

async function measure(
  pid: number,
  work: () => Promise<void>,
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

/** Of this process and its threads, without children. */
async function usage(pid: number): Promise<{ cpuSeconds: number; memoryBytes: number }> {
  const [stat, status] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/status`, 'utf8'),
  ])
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  const memoryKilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0)
  return { cpuSeconds: ticks / ticksPerSecond, memoryBytes: memoryKilobytes * 1024 }
}

function megabytes(bytes: number): string {
  return (bytes / 1024 ** 2).toFixed(0)
}
