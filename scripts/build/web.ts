/** Builds the web into dist/ when a source or its address has changed since the last build. */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const stamp = join(root, 'dist/.built')
const sources = [
  'web',
  'client',
  'contract',
  'domain',
  'scripts/build/slim-contract.ts',
  'scripts/build/docs-markdown.ts',
  'scripts/build/package-types.ts',
  'scripts/build/prerender.ts',
  'server/http/openapi.ts',
  'vite.config.ts',
  'package-lock.json',
]

/** In a child, so that whoever waits can be stopped meanwhile. */
export async function buildWeb(): Promise<void> {
  const newest = Math.max(...sources.map((name) => newestChangeMs(join(root, name))))
  const publicUrl = process.env.PUBLIC_URL ?? ''
  const isNew = existsSync(stamp) && statSync(stamp).mtimeMs >= newest
  if (isNew && readFileSync(stamp, 'utf8') === publicUrl) return
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const build = spawn(
    'setpriv',
    ['--pdeathsig', 'KILL', process.execPath, vite, 'build', '--logLevel', 'warn'],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
  )
  const status = await new Promise((done, fail) => {
    build.once('exit', done)
    build.once('error', fail)
  })
  if (status !== 0) throw new Error('The web could not be built.')
  writeFileSync(stamp, publicUrl)
}

function newestChangeMs(path: string): number {
  const info = statSync(path)
  if (!info.isDirectory()) return info.mtimeMs
  const names = readdirSync(path).filter((name) => !name.includes('.test.'))
  const children = names.map((name) => newestChangeMs(join(path, name)))
  return Math.max(info.mtimeMs, ...children)
}
