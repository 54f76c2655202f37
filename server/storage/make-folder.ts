import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Node's own recursive way tries forever where the system makes no folders, as in /proc. */
export function makeFolder(dir: string): void {
  try {
    mkdirSync(dir)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && statSync(dir).isDirectory()) return
    if (code !== 'ENOENT' || statSync(dirname(dir), { throwIfNoEntry: false })) throw error
    makeFolder(dirname(dir))
    mkdirSync(dir)
  }
}
