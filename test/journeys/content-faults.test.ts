/** A killed process and a full disk, with real ones. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { ErrorAnswer } from '../../contract/refusal.ts'
import { sweepStore } from '../../server/storage/sweep.ts'
import { startApiProcess } from '../support/api-process.ts'
import { startTestServer } from '../support/app.ts'
import { isWholeRun, slow } from '../support/slow.ts'
import { until } from '../support/until.ts'
import { use } from '../support/use.ts'

const run = promisify(execFile)
const server = use(startTestServer)

async function filesUnder(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

test('a process killed in the middle of uploads leaves nothing after the sweep', slow, async () => {
  const user = await server.user()
  const root = join(server.ctx.config.dataDir, 'files')
  const rounds = isWholeRun ? 3 : 1
  for (let round = 0; round < rounds; round += 1) {
    const doomed = await startApiProcess(server)
    const sending = Array.from({ length: 5 }, () => beginUpload(doomed.url, user.token))
    await until(async () => (await filesUnder(root)).length >= 5 * (round + 1))
    await doomed.stop('SIGKILL')
    for (const request of sending) request.destroy()
  }
  assert.ok((await filesUnder(root)).length >= 5 * rounds)
  server.clock.offsetMs += 25 * 3_600_000
  await sweepStore(server.ctx)
  assert.deepEqual(await filesUnder(root), [])
  assert.equal((await user.client.listContent({ query: {} })).content.length, 0)
  const { rows } = await server.ctx.pool.query('select 1 from unowned_objects')
  assert.equal(rows.length, 0)
})

test('a full disk answers 507, leaves nothing, and room again is enough', async (t) => {
  const disk = await mountSmallDisk(t, 8)
  if (!disk) return t.skip('only root can mount a small disk')
  // Without a reserve the disk itself says that it is full.
  const small = await startOn(disk, { DISK_RESERVE_BYTES: '0' })
  try {
    for (let tries = 0; tries < 3; tries += 1) {
      const { status, code } = await small.send(12_000_000, { isLengthKnown: false })
      assert.deepEqual([status, code], [507, 'storage_full'])
      assert.deepEqual(await filesUnder(disk), [])
    }
    assert.equal((await small.send(3_000_000)).status, 201)
  } finally {
    await small.stop()
  }
})

test(
  'uploads stop at the reserve, health says so, and all goes on when there is room',
  slow,
  async (t) => {
    const disk = await mountSmallDisk(t, 32)
    if (!disk) return t.skip('only root can mount a small disk')
    const small = await startOn(disk)
    const ballast = join(disk, 'ballast')
    try {
      assert.deepEqual(await small.health(), ['ok', 'ok'])
      await writeFile(ballast, Buffer.alloc(28 * 1024 ** 2))
      const freeBefore = await freeBytes(disk)
      let minFree = freeBefore
      const watch = setInterval(() => {
        void freeBytes(disk).then((free) => (minFree = Math.min(minFree, free)))
      }, 1)
      // 4 MiB are free and 1.6 of them are the reserve.
      for (const isLengthKnown of [true, false]) {
        const { status, code } = await small.send(3_500_000, { isLengthKnown })
        assert.deepEqual([status, code], [507, 'storage_full'])
      }
      clearInterval(watch)
      assert.ok(minFree >= 0.05 * 32 * 1024 ** 2, `${minFree} of ${freeBefore} bytes were free`)
      assert.equal(await small.beginResumable(3_500_000), 507)
      assert.deepEqual(await filesUnder(disk), ['ballast'])
      assert.equal((await small.send(500_000)).status, 201)

      await writeFile(ballast, Buffer.alloc(31 * 1024 ** 2))
      assert.deepEqual(await until(small.health, ([, storage]) => storage === 'full'), [
        'degraded',
        'full',
      ])
      await rm(ballast)
      await until(small.health, ([status]) => status === 'ok')
      assert.equal((await small.send(3_500_000)).status, 201)
      assert.equal(await small.beginResumable(3_500_000), 201)
    } finally {
      await small.stop()
    }
  },
)

/** Mounts a small disk; null if the tests may not mount. */
async function mountSmallDisk(t: TestContext, mebibytes: number): Promise<string | null> {
  const disk = await mkdtemp(join(tmpdir(), 'cutindex-full-'))
  const mounted = await run('mount', [
    '-t',
    'tmpfs',
    '-o',
    `size=${mebibytes}m`,
    'tmpfs',
    disk,
  ]).then(
    () => true,
    () => false,
  )
  t.after(async () => {
    if (mounted) await run('umount', [disk])
    await rm(disk, { recursive: true, force: true })
  })
  return mounted ? disk : null
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** An API process whose files lie on the small disk, and an account that uses it. */
async function startOn(disk: string, environment: Record<string, string> = {}) {
  const { token } = await server.user()
  const api = await startApiProcess(server, {
    environment: { STORAGE_URL: pathToFileURL(join(disk, 'files')).href, ...environment },
  })
  const authorization = `Bearer ${token}`
  return {
    stop: () => api.stop(),
    health: async (): Promise<[string, string | undefined]> => {
      const answer = await fetch(`${api.url}/v1/health`)
      const { status, checks } = (await answer.json()) as {
        status: string
        checks: Record<string, string>
      }
      return [status, checks.storage]
    },
    async send(
      size: number,
      { isLengthKnown = true } = {},
    ): Promise<{ status: number; code?: string }> {
      const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'
      const body = Buffer.concat([
        Buffer.from(head),
        randomBytes(size),
        Buffer.from('\r\n--b--\r\n'),
      ])
      const response = await fetch(`${api.url}/v1/content/upload`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'multipart/form-data; boundary=b' },
        ...(isLengthKnown ? { body } : { body: new Blob([body]).stream(), duplex: 'half' }),
      })
      const { code } = (await response.json()) as Partial<ErrorAnswer>
      return { status: response.status, ...(code && { code }) }
    },
    async beginResumable(size: number): Promise<number> {
      const headers = { authorization, 'tus-resumable': '1.0.0', 'upload-length': String(size) }
      const url = `${api.url}/v1/content/resumable`
      return (await fetch(url, { method: 'POST', headers })).status
    },
  }
}

/** Sends the first megabytes of a file and then nothing. */
function beginUpload(url: string, token: string): ReturnType<typeof request> {
  const sending = request(`${url}/v1/content/upload`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'multipart/form-data; boundary=b',
    },
  })
  sending.on('error', () => undefined)
  sending.write('--b\r\ncontent-disposition: form-data; name="file"; filename="a.mov"\r\n\r\n')
  sending.write(randomBytes(2_000_000))
  return sending
}
