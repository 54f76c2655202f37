/** A killed process and a full disk, with real ones. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { ErrorAnswer } from '../../contract/refusal.ts'
import { sweepContent } from '../../server/content/retention.ts'
import { startApiProcess } from '../support/api-process.ts'
import { startTestServer } from '../support/app.ts'
import type { TestServer } from '../support/app.ts'
import { until } from '../support/until.ts'

const run = promisify(execFile)
let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.stop())

async function filesUnder(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

test('a process killed in the middle of uploads leaves nothing after the sweep', async () => {
  const user = await server.user()
  const root = join(server.ctx.config.dataDir, 'files')
  for (let round = 0; round < 3; round += 1) {
    const doomed = await startApiProcess(server)
    const sending = Array.from({ length: 5 }, () => beginUpload(doomed.url, user.token))
    await until(async () => (await filesUnder(root)).length >= 5 * (round + 1))
    await doomed.stop('SIGKILL')
    for (const one of sending) one.destroy()
  }
  assert.ok((await filesUnder(root)).length >= 15)
  server.clock.offsetMs += 25 * 3_600_000
  await sweepContent(server.ctx)
  assert.deepEqual(await filesUnder(root), [])
  assert.equal((await user.client.listContent({ query: {} })).content.length, 0)
  const { rows } = await server.ctx.pool.query('select 1 from content_garbage')
  assert.equal(rows.length, 0)
})

test('a full disk is told with 507, leaves nothing, and room again is enough', async (t) => {
  const room = await mkdtemp(join(tmpdir(), 'cutindex-full-'))
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', room]).then(
    () => true,
    () => false,
  )
  t.after(async () => {
    if (mounted) await run('umount', [room])
    await rm(room, { recursive: true, force: true })
  })
  if (!mounted) {
    t.skip('only root can mount a small disk')
    return
  }
  const user = await server.user()
  const small = await startApiProcess(server, {
    environment: { STORAGE_URL: pathToFileURL(join(room, 'files')).href },
  })
  try {
    const send = async (size: number): Promise<[number, Partial<ErrorAnswer>]> => {
      const form = new FormData()
      form.set('file', new Blob([randomBytes(size)]), 'a.bin')
      const response = await fetch(`${small.url}/v1/content/upload`, {
        method: 'POST',
        headers: { authorization: `Bearer ${user.token}` },
        body: form,
      })
      return [response.status, (await response.json()) as ErrorAnswer]
    }
    for (let tries = 0; tries < 3; tries += 1) {
      const [status, answer] = await send(12_000_000)
      assert.equal(status, 507)
      assert.equal(answer.code, 'storage_full')
      assert.deepEqual(await filesUnder(room), [])
    }
    assert.equal((await send(3_000_000))[0], 201)
  } finally {
    await small.stop()
  }
})

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
