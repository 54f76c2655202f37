/** `npm run -s house`: the state of the code base in figures. Fails above a limit. */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix, resolve } from 'node:path'
import { duplicates } from './duplicates.ts'
import { floors } from './floors.ts'
import { tableOwners } from './table-owners.ts'
import { wordFaults } from './words.ts'

const root = resolve(import.meta.dirname, '../..')
const product = ['domain', 'contract', 'engine', 'server', 'sandbox', 'client', 'web']
const rooms = [...product, 'scripts', 'lab', 'test']
const maxFilesOfFolder = 25
const maxLinesOfFile = 400
/** Copies that are left; this number only falls. */
const maxCopies = 32

const files = globSync(`{${rooms.join(',')}}/**/*.{ts,tsx,css,sql,py}`, { cwd: root }).toSorted()
const text = (file: string): string => readFileSync(join(root, file), 'utf8')
/** A file that a command writes says so in its first lines. */
const isGenerated = (file: string): boolean =>
  /^.{0,80}\b[Gg]enerated (?:by|from)\b/s.test(text(file))
const isTest = (file: string): boolean => /\.(test|testing)\.tsx?$|^test\//.test(file)
const ownFiles = files.filter(
  (file) => !isTest(file) && !isGenerated(file) && !file.includes('/migrations/'),
)
const linesOf = (file: string): number => text(file).split('\n').length - 1

/** The lists of words themselves, and the tables of the last version by their names. */
const namesOldWords =
  /^(scripts\/house\/(words|house\.test)|test\/code-base\/words\.test|server\/db\/carry-over)\./

const readTables =
  /\b(?:selectFrom|innerJoin|leftJoin|fullJoin)\(\s*['"](\w+)|\b(?:from|join)\s+(\w+)/g

if (import.meta.main) process.exitCode = printHouse() ? 0 : 1

function printHouse(): boolean {
  const folder = process.argv[2]
  if (folder !== undefined) {
    const words = allWordFaults().filter((word) => word.startsWith(folder))
    print(`words of ${folder}`, words.length, words)
    return words.length === 0
  }
  printRooms()
  const { functions, long } = longPieces()
  const words = allWordFaults()
  const copies = duplicates(new Map(ownFiles.map((file) => [file, text(file)])))
  const isWithin = [
    printCount('folders above 25 files', crowdedFolders(), 0),
    printCount('imports that reach up', importsUp(), 0),
    printCount('reads of tables of a floor above', readsUp(), 0),
    printCount('functions above 70 lines', functions, 45),
    printCount('files above 400 lines', long, 4),
    printCount('runs of six lines and more that stand twice', copies, maxCopies),
  ]
  printWords(words)
  return isWithin.every(Boolean) && words.length === 0
}

/** Returns whether a count is within its limit. */
function printCount(name: string, places: readonly string[], max: number): boolean {
  print(`${name}, at most ${max}`, places.length, places.slice(0, 120))
  return places.length <= max
}

function print(name: string, count: number, places: readonly string[] = []): void {
  console.log(`${String(count).padStart(6)}  ${name}`)
  for (const place of places) console.log(`        ${place}`)
}

/** All words of the tree that another should stand for; this list of them is not read itself. */
export function allWordFaults(): string[] {
  return files
    .filter((file) => !namesOldWords.test(file))
    .flatMap((file) => wordFaults(file, text(file)))
}

/** Prints the count by room, by folder in large rooms; whether there is none. */
export function printWords(words: readonly string[]): boolean {
  print('words (npm run -s house -- FOLDER lists those of a folder)', words.length)
  const counts = new Map<string, number>()
  for (const word of words) {
    const room = /^(?:server|engine|web)\/[\w-]+|^[\w-]+/.exec(word)![0]
    counts.set(room, (counts.get(room) ?? 0) + 1)
  }
  for (const [room, count] of counts) {
    console.log(`        ${room}: ${count}`)
  }
  return words.length === 0
}

function printRooms(): void {
  const sum = (names: readonly string[], isCounted: (file: string) => boolean): number =>
    files
      .filter((file) => names.includes(file.split('/')[0] ?? '') && isCounted(file))
      .reduce((total, file) => total + linesOf(file), 0)
  const isOwn = (file: string): boolean => !isTest(file) && !isGenerated(file)
  for (const room of rooms) {
    const tests = sum([room], isTest)
    print(`${room}${tests > 0 ? ` and ${tests} of tests` : ''}`, sum([room], isOwn))
  }
  print('product', sum(product, isOwn))
  print('product, scripts and lab', sum(rooms, isOwn))
  print('generated', sum(rooms, isGenerated))
  print('tests', sum(rooms, isTest))
}

export function crowdedFolders(): string[] {
  const counts = new Map<string, number>()
  for (const file of files) {
    if (isTest(file) || file.includes('/migrations/')) continue
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count > maxFilesOfFolder)
    .map(([folder, count]) => `${folder}: ${count}`)
}

/** The floor of a file; the files beside the floors compose them, below the roof. */
function floorOf(file: string): number {
  const folder = file.split('/')[1] ?? ''
  const floor = floors.indexOf(folder)
  return floor === -1 ? floors.length - 1.5 : floor
}

export function importsUp(): string[] {
  const server = files.filter((file) => /^server\/.*\.ts$/.test(file) && !isTest(file))
  return server.flatMap((file) =>
    [...text(file).matchAll(/(?:from|import\() ?'(\.[^']+)'/g)]
      .map(([, path = '']) => posix.join(dirname(file), path))
      .filter((target) => target.startsWith('server/') && floorOf(target) > floorOf(file))
      .map((target) => `${file} -> ${target}`),
  )
}

/** A view is what a noun publishes, so anybody may read it. */
export function readsUp(): string[] {
  const owners = tableOwners()
  const server = files.filter((file) => /^server\/.*\.(ts|sql)$/.test(file) && !isTest(file))
  return server
    .filter((file) => !/\/(migrations\/|carry-over\.sql$)/.test(file))
    .flatMap((file) => {
      const source = text(file).replaceAll(
        /^\s*(\/\*\*|\*|\/\/|--).*$|^import .*$|^} from .*$/gm,
        '',
      )
      const tables = new Set(
        [...source.matchAll(readTables)].map((match) => match[1] ?? match[2] ?? ''),
      )
      return [...tables].flatMap((table) => {
        const [lowest] = (owners.get(table) ?? []).map(floorOf).toSorted((a, b) => a - b)
        return lowest !== undefined && lowest > floorOf(file) ? [`${file}: ${table}`] : []
      })
    })
}

function longPieces(): { functions: string[]; long: string[] } {
  const settings = join(import.meta.dirname, 'sizes.oxlintrc.json')
  const folders = [...product, 'scripts', 'lab']
  const args = ['--config', settings, '--format=json', ...folders]
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/oxlint'), args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { filename: string; code: string; message: string }[]
  }
  const functions = diagnostics
    .filter(({ code, filename }) => code.includes('max-lines-per-function') && !isTest(filename))
    .map(({ filename, message }) => `${filename}: ${message}`)
  const long = files
    .filter((file) => !isTest(file) && linesOf(file) > maxLinesOfFile)
    .map((file) => `${file}: ${linesOf(file)}`)
  return { functions, long }
}
