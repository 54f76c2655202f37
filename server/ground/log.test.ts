import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'

test('a process whose log nobody reads any more can still end', async () => {
  const program = `
    const { openLog } = await import('./server/ground/log.ts')
    const log = openLog('test', 'info')
    process.on('message', () => {
      log.error('nobody reads this')
      log.error('nor this')
      process.exit(7)
    })
    process.send('ready')
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  try {
    await once(child, 'message')
    child.stdout?.destroy()
    await once(child.stdout!, 'close')
    const exit = once(child, 'exit', { signal: AbortSignal.timeout(20_000) })
    child.send('go')
    assert.equal((await exit)[0], 7)
  } finally {
    child.kill('SIGKILL')
  }
})
