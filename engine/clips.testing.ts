/** Clips that tests make for themselves, in a folder that goes away with the test. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)

export async function clipFolder(t: Pick<TestContext, 'after'>): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'clips-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Runs ffmpeg with these words; the last one is the file's name in the folder. */
export async function makeClip(folder: string, words: string): Promise<string> {
  const args = words.trim().split(/\s+/)
  const file = path.join(folder, args.pop() ?? '')
  const all = ['-v', 'error', '-nostdin', '-y', ...args, file]
  await run('ffmpeg', all, { cwd: folder, timeout: 120_000 })
  return file
}
