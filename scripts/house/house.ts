/**
 * `npm run -s house`: the state of the code base in figures. Fails where a folder of the server
 * reaches up, by an import or by SQL, or holds two subjects.
 */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix, resolve } from 'node:path'
import { floors } from './floors.ts'
import { tableOwners } from './table-owners.ts'
import { wordFaults } from './words.ts'

const root = resolve(import.meta.dirname, '../..')
const product = ['domain', 'contract', 'engine', 'server', 'sandbox', 'client', 'web']
const rooms = [...product, 'scripts', 'lab', 'test']
const maxFilesOfFolder = 25
const maxLinesOfFile = 400

const files = globSync(`{${rooms.join(',')}}/**/*.{ts,tsx,css,sql,py}`, { cwd: root }).toSorted()
const isTest = (file: string): boolean => /\.(test|testing)\.tsx?$|^test\//.test(file)
const text = (file: string): string => readFileSync(join(root, file), 'utf8')
const linesOf = (file: string): number => text(file).split('\n').length - 1

const readTables =
  /\b(?:selectFrom|innerJoin|leftJoin|fullJoin)\(\s*['"](\w+)|\b(?:from|join)\s+(\w+)/g

if (import.meta.main) process.exitCode = printHouse() ? 0 : 1

function printHouse(): boolean {
  const folder = process.argv[2]
  if (folder !== undefined) {
    const words = allWordFaults().filter((word) => word.startsWith(folder))
    print(`words of ${folder}`, words, Infinity)
    return words.length === 0
  }
  printRooms()
  const crowded = crowdedFolders()
  const imports = importsUp()
  const reads = readsUp()
  const { functions, long } = longPieces()
  const words = allWordFaults()
  print('folders above 25 files', crowded)
  print('imports that reach up', imports)
  print('reads of tables of a floor above', reads)
  print('functions above 70 lines', functions, 0)
  print('files above 400 lines', long)
  printWords(words)
  return crowded.length + imports.length + reads.length === 0
}

function print(name: string, faults: readonly string[], max = 30): void {
  console.log(`${String(faults.length).padStart(6)}  ${name}`)
  for (const line of faults.slice(0, max)) console.log(`        ${line}`)
}

/** All words of the tree that another should stand for; this list of them is not read itself. */
export function allWordFaults(): string[] {
  return files
    .filter((file) => !file.startsWith('scripts/house/words.'))
    .flatMap((file) => wordFaults(file, text(file)))
}

/** By room, and by folder in the large ones; a folder given to the command lists its own. */
export function printWords(words: readonly string[]): void {
  print('words (npm run -s house -- FOLDER lists those of a folder)', words, 0)
  const counts = new Map<string, number>()
  for (const word of words) {
    const room = /^(?:server|engine|web)\/[\w-]+|^[\w-]+/.exec(word)![0]
    counts.set(room, (counts.get(room) ?? 0) + 1)
  }
  for (const [room, count] of counts) console.log(`        ${room}: ${count}`)
}

function printRooms(): void {
  const countOf = (room: string, tests: boolean): number =>
    files
      .filter((file) => file.startsWith(`${room}/`) && isTest(file) === tests)
      .reduce((sum, file) => sum + linesOf(file), 0)
  const counts = rooms.map((room) => ({
    room,
    own: countOf(room, false),
    tests: countOf(room, true),
  }))
  for (const { room, own, tests } of counts) {
    console.log(`${String(own).padStart(6)}  ${room}${tests > 0 ? ` and ${tests} of tests` : ''}`)
  }
  const sum = (names: readonly string[]): number =>
    counts.filter(({ room }) => names.includes(room)).reduce((total, { own }) => total + own, 0)
  console.log(`${String(sum(product)).padStart(6)}  product`)
  console.log(`${String(sum(rooms)).padStart(6)}  product, scripts and lab`)
  console.log(`${String(counts.reduce((total, { tests }) => total + tests, 0)).padStart(6)}  tests`)
}

function crowdedFolders(): string[] {
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

function importsUp(): string[] {
  const server = files.filter((file) => /^server\/.*\.ts$/.test(file) && !isTest(file))
  return server.flatMap((file) =>
    [...text(file).matchAll(/(?:from|import\() ?'(\.[^']+)'/g)]
      .map(([, path = '']) => posix.join(dirname(file), path))
      .filter((target) => target.startsWith('server/') && floorOf(target) > floorOf(file))
      .map((target) => `${file} -> ${target}`),
  )
}

function readsUp(): string[] {
  const owners = tableOwners()
  const server = files.filter((file) => /^server\/.*\.(ts|sql)$/.test(file) && !isTest(file))
  return server
    .filter((file) => !file.includes('/migrations/'))
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
