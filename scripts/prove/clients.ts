/**
 * `npm run prove:clients`: `/openapi.yaml` of the running product, read as YAML 1.1, validated by
 * Redocly and Spectral, and the clients that three generators make of it: compiled under `strict`
 * and run through an analysis. The generators come from npm, 130 MB together, into a temporary
 * folder; so this is no part of `npm test`, which reads and lints the document by itself.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { openWorks } from '../../test/support/job-app.ts'
import { ensureSystemPackages, toTest } from '../system-packages.ts'
import { clients, course } from './clients-programs.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')
const packages = [
  '@hey-api/openapi-ts@0.99.0',
  '@stoplight/spectral-cli@6.16.3',
  '@types/node@24.19.2',
  'openapi-fetch@0.17.0',
  'openapi-typescript@7.13.0',
  'orval@8.30.0',
  'typescript@5.9.3',
]

ensureSystemPackages(toTest)
await using works = await openWorks()
await using scratch = await mkdtempDisposable(join(tmpdir(), 'cutindex-clients-'))
const folder = scratch.path
await validate()
await generate()
for (const name of Object.keys(clients)) {
  const { client } = await works.server.user()
  const { apiKey } = await client.createApiKey({ body: { name: 'a', expiresInDays: 30 } })
  const env = { ...process.env, CUTINDEX_API_KEY: apiKey.key, CUTINDEX_API: works.server.url }
  const program = join(folder, `built/${name}.js`)
  const { stdout } = await run('node', [program], { cwd: folder, env, timeout: 120_000 })
  console.log(`${name}: ${stdout.trim()}`)
}

async function validate(): Promise<void> {
  const answer = await works.server.fetch('/openapi.yaml')
  const yaml = await answer.text()
  assert.deepEqual(parse(yaml, { version: '1.1' }), parse(yaml, { version: '1.2' }))
  console.log('YAML 1.1: read as YAML 1.2 is')
  await writeFile(join(folder, 'openapi.yaml'), yaml)
  await writeFile(join(folder, 'package.json'), '{}')
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact']
  await run('npm', [...install, ...packages], { cwd: folder })
  await writeFile(
    join(folder, '.spectral.yaml'),
    'extends: ["spectral:oas"]\nrules: { operation-description: off }\n',
  )
  await start('spectral', ['lint', 'openapi.yaml', '--fail-severity', 'warn'])
  console.log('Spectral: no error, no warning')
  const redocly = join(root, 'node_modules/.bin/redocly')
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  // The running product is on this machine.
  const skip = ['--skip-rule', 'no-server-example.com']
  const lint = ['lint', 'openapi.yaml', '--config', join(root, 'redocly.yaml'), ...skip]
  const { stdout, stderr } = await run(redocly, lint, { cwd: folder, env })
  assert.doesNotMatch(`${stdout}${stderr}`, /\bwarning/i)
  console.log('Redocly: no error, no warning')
}

async function generate(): Promise<void> {
  await start('openapi-typescript', ['openapi.yaml', '-o', 'fetch-schema.ts'])
  await start('openapi-ts', ['-i', 'openapi.yaml', '-o', 'hey', '-c', '@hey-api/client-fetch'])
  const orval = {
    input: './openapi.yaml',
    output: { target: './orval/api.ts', client: 'fetch', baseUrl: works.server.url },
  }
  await writeFile(join(folder, 'orval.config.cjs'), `module.exports = ${JSON.stringify({ orval })}`)
  await start('orval', ['--config', 'orval.config.cjs'])
  await writeFile(join(folder, 'course.ts'), course)
  await writeFile(join(folder, 'clip.mp4'), works.clip)
  for (const [name, text] of Object.entries(clients)) {
    await writeFile(join(folder, `${name}.ts`), text)
  }
  const compilerOptions = {
    strict: true,
    skipLibCheck: true,
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'node16',
    types: ['node'],
    rootDir: '.',
    outDir: 'built',
  }
  const files = Object.keys(clients).map((name) => `${name}.ts`)
  const settings = { compilerOptions, files, include: ['hey', 'orval', 'fetch-schema.ts'] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  await start('tsc', [])
  console.log(`${files.length} generated clients: compile under strict`)
}

async function start(program: string, words: readonly string[]): Promise<void> {
  const path = join(folder, 'node_modules/.bin', program)
  await run(path, words, { cwd: folder, maxBuffer: 10_000_000 }).catch(
    (error: Error & { stdout?: string }) => {
      throw new Error(`${program} failed: ${error.stdout || error.message}`)
    },
  )
}
