/**
 * `npm run web-growth`: what the client has added to the whole web, every script and style gzipped.
 *
 * Builds the web before the client was there and now, and before and after each commit that changed
 * the part of the client that the web imports. The first difference holds everything that was built
 * meanwhile; the sum of the others is what the client brings, and must stay below 2 kB.
 */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'

const root = resolve(import.meta.dirname, '../..')
const maxBytes = 2000
const [added = ''] = git('log', '--diff-filter=A', '--format=%H', '--', 'client/create-client.ts')
const folder = mkdtempSync(join(tmpdir(), 'cutindex-web-growth-'))
const sizes = new Map<string, number>()
try {
  const before = `${added}^`
  const [from, to] = [sizeAt(before), sizeAt('HEAD')]
  console.log(
    `whole web  ${from} → ${to} bytes (${signed(to - from)}), with all that came meanwhile`,
  )
  let brought = 0
  for (const commit of git('log', '--reverse', '--format=%H', `${before}..HEAD`, '--', 'client')) {
    if (!changesTheWeb(commit)) continue
    const growth = sizeAt(commit) - sizeAt(`${commit}^`)
    brought += growth
    const [subject] = git('log', '-1', '--format=%h %s', commit)
    console.log(`${signed(growth).padStart(9)}  ${subject}`)
  }
  console.log(
    `${signed(brought).padStart(9)}  by the client in all; at most ${maxBytes} are allowed`,
  )
  if (brought > maxBytes) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** True if the commit changes a file of the client that the web imports then. */
function changesTheWeb(commit: string): boolean {
  const lines = git('grep', '-hoE', String.raw`/client/[a-z-]+\.ts`, commit, '--', 'web')
  const imported = lines.map((line) => line.slice(1))
  const changed = git('diff-tree', '--no-commit-id', '--name-only', '-r', commit)
  return changed.some((file) => imported.includes(file))
}

function sizeAt(name: string): number {
  const [commit = ''] = git('rev-parse', name)
  const known = sizes.get(commit)
  if (known !== undefined) return known
  const home = join(folder, commit)
  const tree = join(home, 'tree')
  mkdirSync(tree, { recursive: true })
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', tree], { input: archive })
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
  installMissing(tree, home)
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  execFileSync(process.execPath, [vite, 'build', '--logLevel', 'error'], {
    cwd: tree,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const names = readdirSync(join(tree, 'dist'), { recursive: true, encoding: 'utf8' })
  const bytes = names
    .filter((file) => /\.(js|css)$/.test(file))
    .reduce((sum, file) => sum + gzipSync(readFileSync(join(tree, 'dist', file))).length, 0)
  rmSync(home, { recursive: true, force: true })
  sizes.set(commit, bytes)
  return bytes
}

/** A package that only the older commit needs is put where its imports look next. */
function installMissing(tree: string, home: string): void {
  const { dependencies } = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const missing = Object.entries(dependencies)
    .filter(([name]) => !existsSync(join(root, 'node_modules', name)))
    .map(([name, version]) => `${name}@${version}`)
  if (missing.length === 0) return
  const options = ['--prefix', home, '--no-save', '--ignore-scripts', '--no-audit', '--silent']
  execFileSync('npm', ['install', ...options, ...missing], { stdio: 'inherit' })
}

function git(...words: string[]): string[] {
  const text = execFileSync('git', words, { cwd: root, encoding: 'utf8' })
  return text.split('\n').filter(Boolean)
}

function signed(bytes: number): string {
  return bytes > 0 ? `+${bytes}` : String(bytes)
}
