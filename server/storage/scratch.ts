/**
 * Files that live as long as one piece of work: what is fetched from an address, an S3 object that
 * the engine reads, the folder of an attempt at a job. Each process has a folder of its own; a
 * starting process and the sweep remove the folders of dead ones, so a kill leaves nothing for
 * long. Other names are somebody else's and stay.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../ground/config.ts'

const started = randomUUID()
const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const folderForm = new RegExp(`^(\\d+)~(${uuid})$`)
/** A file's id, or an attempt's with its number. */
const workForm = new RegExp(`^${uuid}(?:\\.\\d+)?$`)

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

export function isWorkFolder(name: string): boolean {
  return folderForm.test(name)
}

/** Returns how many folders went. */
export async function removeDeadWorkFiles({ dataDir }: Pick<Config, 'dataDir'>): Promise<number> {
  const root = join(dataDir, 'work')
  const entries = await readdir(root, { withFileTypes: true }).catch(() => [])
  let removed = 0
  for (const entry of entries) {
    const [, pid, token] = folderForm.exec(entry.name) ?? []
    if (pid === undefined || !entry.isDirectory()) continue
    // A folder under our own number but with another token was left by a process before us.
    const isOurs = token === started
    const isAlive = Number(pid) !== process.pid && isRunning(Number(pid))
    if (isOurs || isAlive) continue
    if (await removeFolder(join(root, entry.name))) removed += 1
  }
  return removed
}

/** Removes a folder; false if it has other files in it. */
async function removeFolder(folder: string): Promise<boolean> {
  // Another process may remove it at the same time.
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    if (workForm.test(name)) await rm(join(folder, name), { recursive: true, force: true })
  }
  return rmdir(folder).then(
    () => true,
    () => false,
  )
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
