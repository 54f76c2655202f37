import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import os from 'node:os'
import { test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Without the right to become less patient, as in a plain container. */
const bare = ['setpriv', '--inh-caps=-sys_nice', '--bounding-set=-sys_nice', '--']

test('an engine starts under a worker that is more patient than engines are', async () => {
  const module = new URL('analysis.ts', import.meta.url).href
  const entry = new URL('priority-engine.testing.ts', import.meta.url).href
  const schema = new URL('../../node_modules/zod/index.js', import.meta.url).href
  const script = `const { runEngine } = await import('${module}')
    const z = await import('${schema}')
    const schemas = { output: z.object({ priority: z.int() }) }
    const options = { jobId: 'job', signal: AbortSignal.timeout(30_000), wallMs: 30_000 }
    const end = await runEngine(new URL('${entry}'), { workDir: '/tmp' }, schemas, options)
    console.log(JSON.stringify(end))`
  const node = [process.execPath, '--no-warnings', '--input-type=module', '-e', script]
  for (const own of [0, 15]) {
    const patient = ['nice', '-n', String(own), ...node]
    const words = process.getuid?.() === 0 ? [...bare, ...patient] : patient
    const { stdout } = await run(words[0]!, words.slice(1), { timeout: 60_000 })
    assert.deepEqual(JSON.parse(stdout), {
      end: 'over',
      priority: Math.max(10, Math.min(19, os.getPriority() + own)),
    })
  }
})
