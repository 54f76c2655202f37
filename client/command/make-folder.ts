import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { UsageError } from './usage.ts'

/** Node's own recursive way tries forever where the system makes no folders, as in /proc. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await makeParents(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(
      `The folder ${folder} cannot be made (${code}). Name one that you may write to.`,
    )
  }
}

async function makeParents(folder: string): Promise<void> {
  try {
    await mkdir(folder)
  } catch (error) {
    if (await isFolder(folder)) return
    const isOrphan = (error as NodeJS.ErrnoException).code === 'ENOENT'
    if (!isOrphan || (await isFolder(dirname(folder)))) throw error
    await makeParents(dirname(folder))
    await mkdir(folder)
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (info) => info.isDirectory(),
    () => false,
  )
}
