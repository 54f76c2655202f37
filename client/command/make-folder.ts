import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Node's own recursive way tries forever where the system makes no folders, as in /proc. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder)
  } catch (error) {
    if (await isFolder(folder)) return
    const isOrphan = (error as NodeJS.ErrnoException).code === 'ENOENT'
    if (!isOrphan || (await isFolder(dirname(folder)))) throw error
    await makeFolder(dirname(folder))
    await mkdir(folder)
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (info) => info.isDirectory(),
    () => false,
  )
}
