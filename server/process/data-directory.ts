/**
 * DATA_DIR belongs to the product alone: nobody else on the machine may read or enter it. A file in
 * it marks it as the product's. A folder that holds something and has no mark is refused: other
 * people's files may lie there, under the same names. Inside, only names of a form of our own
 * are deleted, and everything is made closed, so that no mode is changed but the folder's.
 */
import { randomUUID } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isPartialName } from '../storage/directory.ts'
import { makeFolder } from '../ground/make-folder.ts'
import { isWorkFolder } from '../storage/scratch.ts'
import { ConfigError, readVersion } from '../ground/config.ts'

const product = 'CutIndex'
const mark = 'cutindex.json'
const ownNames = new Set([
  ...[mark, 'files', 'postgres', 'sandbox', 'sandbox-secrets.json', 'settings.json'],
  ...['start.lock', 'work'],
])

/** Modes for the owner alone. A group may pass through: the database's user, where it has one. */
const foreign = 0o067
const shared = 0o1002

export function openDataDirectory(dir: string): void {
  // For what is written later too, by this process and by its children.
  process.umask(0o077)
  try {
    refuseRoot(dir)
    makeFolder(dir)
    accessSync(dir, constants.W_OK | constants.X_OK)
    takeFolder(dir)
  } catch (error) {
    if (error instanceof ConfigError) throw error
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(
      `The folder ${dir} cannot be written (${code}). Set DATA_DIR to a folder that you may write to.`,
      { cause: error },
    )
  }
}

/** Before anything is tried: all files of the machine lie there. */
function refuseRoot(dir: string): void {
  if (existsSync(dir) && realpathSync(dir) === '/') refuse(dir, 'is the root of the file system')
}

function refuse(dir: string, why: string): never {
  throw new ConfigError(
    `The folder ${dir} ${why}. Set DATA_DIR to a new or an empty folder of your own.`,
  )
}

function takeFolder(dir: string): void {
  const names = readdirSync(dir)
  const isMarked = names.includes(mark) && readJson(join(dir, mark))?.name === product
  const problem = problemOf(dir, { names, isOurs: isMarked || isOfOlderVersion(dir) })
  if (problem !== null) refuse(dir, problem)
  if (!isMarked) writeMark(dir)
  // Beside other people's files it stays as open as it was; what is ours in it is closed.
  const isAlone = names.every((name) => ownNames.has(name) || comesAlone.test(name))
  if (isAlone && (statSync(dir).mode & foreign) !== 0) chmodSync(dir, 0o700)
}

/** In an empty folder: what a file system brings along, and a mark whose writer was killed. */
const comesAlone = /^(lost\+found|cutindex\.json~.+)$/

function problemOf(
  dir: string,
  { names, isOurs }: { names: string[]; isOurs: boolean },
): string | null {
  const { uid, mode } = statSync(dir)
  const self = process.getuid?.()
  // Root may own a folder that the product made.
  if (uid !== self && !(isOurs && (uid === 0 || self === 0))) {
    return `belongs to the user with the number ${uid}`
  }
  if (isOurs) return null
  if (existsSync(homedir()) && realpathSync(dir) === realpathSync(homedir()))
    return 'is a home folder'
  if ((mode & shared) === shared) return 'is open to everybody'
  const others = names.filter((name) => !comesAlone.test(name))
  return others.length > 0 ? `holds other files (${others.slice(0, 3).join(', ')})` : null
}

/** Renamed into place, so that no other process that starts reads half a mark. */
function writeMark(dir: string): void {
  const file = join(dir, mark)
  const aside = `${file}~${randomUUID()}`
  writeFileSync(aside, JSON.stringify({ name: product, version: readVersion() }), { flush: true })
  renameSync(aside, file)
}

/** Versions without a mark left one of these, whose form nobody else would choose. */
function isOfOlderVersion(dir: string): boolean {
  const secrets = readJson(join(dir, 'sandbox-secrets.json'))
  const partials = namesIn(join(dir, 'files/partial'))
  const works = namesIn(join(dir, 'work')) ?? []
  return (
    typeof secrets?.stripeSecretKey === 'string' ||
    ['password', 'data/PG_VERSION'].every((name) => existsSync(join(dir, 'postgres', name))) ||
    (partials?.every((name) => isPartialName(name)) ?? false) ||
    (works.length > 0 && works.every((name) => isWorkFolder(name)))
  )
}

function namesIn(dir: string): string[] | null {
  return lstatSync(dir, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(dir) : null
}

function readJson(file: string): Record<string, unknown> | null {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return null
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown> | null
  } catch {
    return null
  }
}
