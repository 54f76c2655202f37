/** The development loop: one address for pages and API, and a restart after a change. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { utimesSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { freePort } from '../test/support/app.ts'
import { slow } from '../test/support/slow.ts'
import { until } from '../test/support/until.ts'

const root = resolve(import.meta.dirname, '..')

test('pages and API share one address, and a changed verb restarts the API', slow, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'cutindex-dev-'))
  const webPort = String(await freePort())
  const child = spawn(process.execPath, ['scripts/dev.ts'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compile'),
      DATA_DIR: dataDir,
      PORT: String(await freePort()),
      SANDBOX_PORT: String(await freePort()),
      SANDBOX_SMTP_PORT: String(await freePort()),
      INSPECT_PORT: String(await freePort()),
      WEB_PORT: webPort,
    },
  })
  let log = ''
  child.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
  const exited = once(child, 'exit')
  const starts = (): number => log.split('api ready').length - 1
  try {
    const url = `http://localhost:${webPort}`
    await until(starts)
    await until(() => log.includes('Web with hot reload'))
    const page = await (await fetch(`${url}/dashboard`)).text()
    assert.match(page, /@vite\/client/)
    assert.match(page, /name="cutindex-api" content="same-origin"/)
    assert.equal((await fetch(`${url}/v1/health`)).status, 200)
    assert.match(log, /^\d\d:\d\d:\d\d api +info api ready/m)
    const now = new Date()
    utimesSync(join(root, 'server/service/health.ts'), now, now)
    await until(starts, (count) => count > 1)
    await until(() =>
      fetch(`${url}/v1/health`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
  } finally {
    child.kill('SIGTERM')
    assert.deepEqual(await exited, [0, null], log)
    await rm(dataDir, { recursive: true, force: true })
  }
})
