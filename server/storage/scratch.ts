/**
 * Files that live as long as one piece of work: what is fetched from an address, an S3 object that
 * the engine reads, the folder of an attempt at a job. Each process has a folder of its own; a
 * starting process and the sweep remove the folders of dead ones, so a kill leaves nothing for long.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../process/config.ts'

const started = randomUUID()

/** A place in this process's folder. */
export function workPath({ dataDir }: Pick<Config, 'dataDir'>, name: string): string {
  return join(dataDir, 'work', `${process.pid}~${started}`, name)
}

/** A path for a new file; nothing is there yet. */
export async function newWorkFile(config: Pick<Config, 'dataDir'>): Promise<string> {
  const path = workPath(config, randomUUID())
  await mkdir(dirname(path), { recursive: true })
  return path
}

/** Returns how many folders went. */
export async function removeDeadWorkFiles({ dataDir }: Pick<Config, 'dataDir'>): Promise<number> {
  const root = join(dataDir, 'work')
  const names = await readdir(root).catch(() => [])
  let removed = 0
  for (const name of names) {
    const [pid, token] = name.split('~')
    // A folder under our own number but with another token was left by a process before us.
    const isOurs = token === started
    const isAlive = Number(pid) !== process.pid && isRunning(Number(pid))
    if (isOurs || isAlive) continue
    await rm(join(root, name), { recursive: true, force: true })
    removed += 1
  }
  return removed
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
