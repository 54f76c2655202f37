import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { api } from '../../contract/api.ts'
import { openApiDocument, openApiYaml } from './openapi.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')
const config = { publicUrl: 'https://cutindex.example', version: '1.0.0' }

test('the document lints clean by an independent linter', async () => {
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'cutindex-openapi-'))
  const dir = scratch.path
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
})

test('a reader of YAML 1.1 reads what one of 1.2 reads', () => {
  const yaml = openApiYaml(config)
  const whole = JSON.parse(JSON.stringify(openApiDocument(config))) as object
  assert.deepEqual(parse(yaml, { version: '1.1' }), whole)
  assert.deepEqual(parse(yaml, { version: '1.2' }), whole)
})

test('every body has a schema, and every list the type of its items', () => {
  const faults: string[] = []
  walk(openApiDocument(config), '', (node, path) => {
    const isBody = /\/(?:requestBody|responses\/\d+)$/.test(path)
    const content = (isBody ? (node.content ?? {}) : {}) as Record<string, Node>
    for (const [type, media] of Object.entries(content)) {
      if (Object.keys(media.schema ?? {}).length === 0) faults.push(`${path} ${type}`)
    }
    if (node.type !== 'array') return
    const items = node.items as Node | boolean | undefined
    if (typeof items !== 'object' || Object.keys(items).length === 0) faults.push(path)
  })
  assert.deepEqual(faults, [])
})

test('the media types of files are the ones that are sent', () => {
  assert.deepEqual(mediaTypes('exportSync'), [
    'application/json',
    'application/xml',
    'text/csv',
    'text/plain',
  ])
  assert.deepEqual(mediaTypes('getJobFile'), [
    'application/octet-stream',
    'image/jpeg',
    'text/vtt',
    'video/mp4',
  ])
  assert.deepEqual(mediaTypes('exchangeOauthCode'), ['application/json'])
})

test('the token of OAuth and its errors are described', () => {
  const { requestBody, responses } = operations().exchangeOauthCode as Record<string, Node>
  const names = (part: unknown): string[] => {
    const [media] = Object.values((part as { content: Record<string, Node> }).content)
    const schema = (media?.schema ?? {}) as { properties?: object }
    return Object.keys(schema.properties ?? {})
  }
  assert.deepEqual(names(responses?.['200']), ['access_token', 'token_type', 'expires_in', 'scope'])
  assert.deepEqual(names(responses?.['400']), ['error', 'error_description'])
  assert.ok(names(requestBody).includes('code_verifier'))
})

test('every endpoint of the contract is in the document, and nothing else', () => {
  const paths = openApiDocument(config).paths as Record<string, object>
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const promised = Object.values(api).map((endpoint) => `${endpoint.method} /v1${endpoint.path}`)
  assert.deepEqual(documented.sort(), promised.sort())
})

type Node = Record<string, unknown>

function walk(node: unknown, path: string, visit: (node: Node, path: string) => void): void {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) visit(node as Node, path)
  for (const [key, child] of Object.entries(node)) walk(child, `${path}/${key}`, visit)
}

function operations(): Record<string, Node> {
  const paths = openApiDocument(config).paths as Record<string, Record<string, Node>>
  const all = Object.values(paths).flatMap((path) => Object.values(path))
  return Object.fromEntries(all.map((operation) => [operation.operationId as string, operation]))
}

function mediaTypes(name: string): string[] {
  const responses = operations()[name]?.responses as Record<string, { content: object }>
  return Object.keys(responses['200']?.content ?? {}).sort()
}
