/**
 * `npm run prove:watch`: `cutindex watch` is killed again and again while files come into its
 * folder. Every file must be analysed once, charged once, and have its export beside it.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { makeClip } from '../../engine/clips.testing.ts'
import { startWorking } from '../../server/runs/work.ts'
import { startTestServer } from '../../test/support/app.ts'
import { builtCommand } from '../../test/support/built-package.ts'
import { ensureSystemPackages, toTest } from '../system-packages.ts'

if (import.meta.main) {
  ensureSystemPackages(toTest)
  const report = await proveWatch({ files: 50, kills: 20 })
  console.log(JSON.stringify(report))
}

export interface WatchReport {
  files: number
  kills: number
  jobs: number
  exports: number
  chargedUsd: number
}

export async function proveWatch(plan: { files: number; kills: number }): Promise<WatchReport> {
  const command = await builtCommand()
  const server = await startTestServer()
  const worker = await startWorking(server.ctx, { slots: 2 })
  const root = await mkdtemp(join(tmpdir(), 'cutindex-watch-'))
  try {
    const user = await server.user()
    const { apiKey } = await user.client.createApiKey({ body: { name: 'watch' } })
    const folder = await mkdtemp(join(root, 'footage-'))
    const clip = await readFile(
      await makeClip(
        root,
        '-f lavfi -i color=red:size=64x36:rate=25:duration=0.2 -c:v libx264 clip.mp4',
      ),
    )
    const start = (...more: string[]): ChildProcess =>
      spawn(
        process.execPath,
        [
          command,
          'watch',
          folder,
          '--extractors',
          'ffprobe',
          '--export',
          'fcpxml',
          '--settle',
          '0',
          ...more,
        ],
        {
          stdio: ['ignore', 'ignore', process.env.DEBUG ? 'inherit' : 'ignore'],
          env: { ...process.env, CUTINDEX_API_KEY: apiKey.key, CUTINDEX_API: server.url },
        },
      )
    for (let round = 0; round < plan.kills; round += 1) {
      await addFiles(folder, clip, {
        from: Math.floor((plan.files * round) / plan.kills),
        to: Math.floor((plan.files * (round + 1)) / plan.kills),
      })
      const child = start()
      const ended = new Promise((done) => child.once('exit', done))
      // Somewhere between its start and the end of its work.
      await wait(300 + Math.random() * 1700)
      child.kill('SIGKILL')
      await ended
    }
    const last = start('--once')
    const code = await new Promise<number | null>((done) => last.once('exit', done))
    assert.equal(code, 0, 'the last run ends well')
    const { jobs } = await user.client.listJobs({ query: { limit: 100 } })
    const names = await readdir(folder)
    const exported = names.filter((name) => name.endsWith('.fcpxml'))
    for (const name of exported) {
      assert.match(await readFile(join(folder, name), 'utf8'), /<\/fcpxml>\s*$/, `${name} is whole`)
    }
    assert.equal(exported.length, plan.files, 'an export lies beside every file')
    assert.equal(jobs.length, plan.files, 'every file was analysed once')
    assert.equal(new Set(jobs.map((job) => job.content_id)).size, plan.files)
    assert.deepEqual(names.filter((name) => name.endsWith('.tmp')).slice(plan.kills), [])
    const history = await user.client.listBillingHistory({ query: { type: 'charge', limit: 100 } })
    assert.equal(history.transactions.length, plan.files, 'every job was charged once')
    const chargedUsd = jobs.reduce((sum, job) => sum + Math.round(job.cost_usd * 1e6), 0) / 1e6
    return { ...plan, jobs: jobs.length, exports: exported.length, chargedUsd }
  } finally {
    await worker.stop()
    await server.stop()
    await rm(root, { recursive: true, force: true })
  }
}

/** The same clip with other bytes after it, which players skip: an MP4 `free` box. */
async function addFiles(
  folder: string,
  clip: Buffer,
  { from, to }: { from: number; to: number },
): Promise<void> {
  for (let index = from; index < to; index += 1) {
    const box = Buffer.alloc(16)
    box.writeUInt32BE(16, 0)
    box.write('free', 4)
    box.writeUInt32BE(index + 1, 8)
    await writeFile(join(folder, `clip-${index}.mp4`), Buffer.concat([clip, box]))
  }
}
