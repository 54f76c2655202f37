/**
 * `npm run prove:runtimes`: the packed client, installed into an empty folder, and its README's
 * example and command line under Deno and Bun. Their programs come from npm, 190 MB together, into
 * a temporary folder; so this is no part of `npm test`, which does the same under Node 20 and 24.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { parseFcpxml } from '../../test/export-parsers/fcpxml.ts'
import { openWorks } from '../../test/support/job-app.ts'
import { buildPackage } from '../build/build-package.ts'
import { ensureSystemPackages, toTest } from '../system-packages.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')
const isArm = process.arch === 'arm64'
const denoPackage = `@deno/linux-${isArm ? 'arm64' : 'x64'}-glibc`
const bunPackage = `@oven/bun-linux-${isArm ? 'aarch64' : 'x64'}`
const runtimes = [
  {
    name: 'Deno',
    program: `${denoPackage}/deno`,
    script: ['run', '--allow-all', '--node-modules-dir=manual'],
  },
  { name: 'Bun', program: `${bunPackage}/bin/bun`, script: ['run'] },
]

ensureSystemPackages(toTest)
await using works = await openWorks()
await using scratch = await mkdtempDisposable(join(tmpdir(), 'cutindex-runtimes-'))
const folder = scratch.path
const project = await installPackage()
const programs = join(folder, 'programs')
await mkdir(programs)
await install(programs, [denoPackage, bunPackage])
const readme = await readFile(join(root, 'client/README.md'), 'utf8')
const example = /^```js node\n(.*?)^```/ms.exec(readme)?.[1]
assert.ok(example)
await writeFile(join(project, 'example.js'), example)
for (const { name, program, script } of runtimes) {
  const path = join(programs, 'node_modules', program)
  const version = (await run(path, ['--version'])).stdout.split('\n')[0]
  const environment = await newKey()
  const start = async (words: string[]): Promise<string> => {
    const env = { ...process.env, ...environment }
    return (await run(path, [...script, ...words], { cwd: project, env, timeout: 120_000 })).stdout
  }
  const out = await start(['example.js'])
  const file = /(\S+\.fcpxml), charged \$0\.016\n$/.exec(out)?.[1]
  assert.ok(file, out)
  assert.equal(parseFcpxml(await readFile(join(project, file), 'utf8')).video.length, 2)
  await rm(join(project, file))
  const balance = await start(['node_modules/cutindex/command/command.js', 'balance'])
  assert.equal(balance, '$4.98 can be spent\n')
  console.log(`${name} ${version}: the README's example and the command line work`)
}

async function installPackage(): Promise<string> {
  await buildPackage(join(folder, 'built'))
  const { stdout } = await run('npm', ['pack', join(folder, 'built'), '--silent'], { cwd: folder })
  const project = join(folder, 'project')
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{ "type": "module" }')
  await install(project, ['--offline', join(folder, stdout.trim())])
  await writeFile(join(project, 'clip.mp4'), works.clip)
  return project
}

async function install(cwd: string, names: readonly string[]): Promise<void> {
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...names], { cwd })
}

async function newKey(): Promise<Record<string, string>> {
  const user = await works.server.user()
  const { apiKey } = await user.client.createApiKey({ body: { name: 'a', expiresInDays: 30 } })
  return { CUTINDEX_API_KEY: apiKey.key, CUTINDEX_API: works.server.url }
}
