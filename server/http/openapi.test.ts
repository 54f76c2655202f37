import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { api } from '../../contract/api.ts'
import { openApiDocument, openApiYaml } from './openapi.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')
const config = { publicUrl: 'https://cutindex.example', version: '0.1.0' }

test('the document lints clean by an independent linter', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'cutindex-openapi-'))
  try {
    const file = join(dir, 'openapi.yaml')
    await writeFile(file, openApiYaml(config))
    const linter = join(root, 'node_modules/.bin/redocly')
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    const { stdout, stderr } = await run(
      linter,
      ['lint', file, '--config', join(root, 'redocly.yaml')],
      {
        env,
      },
    ).catch((error: { stdout: string; stderr: string }) => error)
    const words = `${stdout}${stderr}`
    assert.match(words, /Your API description is valid/i, words)
    assert.doesNotMatch(words, /\bwarning/i, words)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
})

test('every endpoint of the contract is in the document, and nothing else', () => {
  const paths = openApiDocument(config).paths as Record<string, object>
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const promised = Object.values(api).map((endpoint) => `${endpoint.method} /v1${endpoint.path}`)
  assert.deepEqual(documented.sort(), promised.sort())
})
