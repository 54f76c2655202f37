import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and its parents. Node's own recursive mode retries forever where the system allows
 * no folders, as in /proc. Another process may make the same folders at the same time.
 */
export function makeFolder(dir: string): void {
  if (makeOne(dir) === null) return
  makeFolder(dirname(dir))
  const error = makeOne(dir)
  if (error) throw error
}

/** Returns the error if the parent folder seems to be missing; else null. */
function makeOne(dir: string): NodeJS.ErrnoException | null {
  try {
    mkdirSync(dir)
    return null
  } catch (cause) {
    const error = cause as NodeJS.ErrnoException
    if (error.code === 'ENOENT') return error
    if (error.code === 'EEXIST' && statSync(dir).isDirectory()) return null
    throw error
  }
}
