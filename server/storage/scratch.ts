/**
 * Files that live as long as one piece of work: what is fetched from an address, an S3 object that
 * the engine reads. Each process has a folder of its own, and a starting process removes the
 * folders of dead ones, so a kill leaves nothing for long.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../process/config.ts'

const started = randomUUID()

/** A path for a new file; nothing is there yet. */
export async function newWorkFile(config: Pick<Config, 'dataDir'>): Promise<string> {
  const folder = join(config.dataDir, 'work', `${process.pid}~${started}`)
  await mkdir(folder, { recursive: true })
  return join(folder, randomUUID())
}

export async function removeDeadWorkFiles(config: Pick<Config, 'dataDir'>): Promise<void> {
  const root = join(config.dataDir, 'work')
  const names = await readdir(root).catch(() => [])
  for (const name of names) {
    const [pid, token] = name.split('~')
    // A folder under our own number but with another token was left by a process before us.
    const isOurs = token === started
    const isAlive = Number(pid) !== process.pid && isRunning(Number(pid))
    if (!isOurs && !isAlive) await rm(join(root, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
