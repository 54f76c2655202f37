/**
 * DATA_DIR belongs to the product alone: nobody else on the machine may read or enter it. What an
 * older version left open to others is closed.
 */
import { accessSync, chmodSync, constants, lstatSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../storage/make-folder.ts'
import { ConfigError } from './config.ts'

const ownNames = new Set([
  'files',
  'postgres',
  'sandbox',
  'sandbox-secrets.json',
  'settings.json',
  'start.lock',
  'work',
])

/** What nobody but the owner may do. A group may pass through: the database's user, where it has one. */
const foreign = 0o067

export function openDataDirectory(dir: string): void {
  // For what is written later too, by this process and by its children.
  process.umask(0o077)
  try {
    makeFolder(dir)
    accessSync(dir, constants.W_OK | constants.X_OK)
    // Attempts at jobs had a folder of their own before they moved into `work`.
    rmSync(join(dir, 'attempts'), { recursive: true, force: true })
    closeToOthers(dir)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(
      `The folder ${dir} cannot be written (${code}). Set DATA_DIR to a folder that you may write to.`,
      { cause: error },
    )
  }
}

function closeToOthers(dir: string): void {
  const names = readdirSync(dir)
  for (const name of names) if (ownNames.has(name)) closeEntry(join(dir, name))
  // Somebody may have set DATA_DIR to a folder that holds other things, which are not ours to close.
  if (names.every((name) => ownNames.has(name)) && isOpen(dir)) chmodSync(dir, 0o700)
}

/** Contents first, so that an interrupted run is repeated. */
function closeEntry(path: string): void {
  if (!isOpen(path)) return
  if (statSync(path).isDirectory()) closeContents(path)
  chmodSync(path, statSync(path).mode & 0o700)
}

function closeContents(dir: string): void {
  for (const name of readdirSync(dir)) {
    const path = join(dir, name)
    const info = lstatSync(path)
    if (info.isSymbolicLink()) continue
    if (info.isDirectory()) closeContents(path)
    chmodSync(path, info.mode & 0o700)
  }
}

function isOpen(path: string): boolean {
  return (statSync(path).mode & foreign) !== 0
}
