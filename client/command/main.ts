#!/usr/bin/env node
/** `npx cutindex`: the verbs of the service for a shell. Exit codes and options: usage.ts. */
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { flagTypes, speechOptions } from '../../domain/job-options.ts'
import { CutIndex } from '../cutindex.ts'
import { analyseAll, exportAll, numberOf, orderOf, quoteAll } from './analyse.ts'
import { checkKey, findKey, keyFilePath, writeKey } from './key-file.ts'
import { createOutput, exitCodeOf } from './output.ts'
import type { Output } from './output.ts'
import { usage, UsageError } from './usage.ts'
import { watchFolder } from './watch.ts'

/** Put in when the package is built. */
declare const CUTINDEX_VERSION: string | undefined

const options = {
  extractors: { type: 'string' },
  export: { type: 'string' },
  out: { type: 'string' },
  ...flagTypes(speechOptions),
  'max-usd': { type: 'string' },
  parallel: { type: 'string' },
  settle: { type: 'string' },
  once: { type: 'boolean' },
  limit: { type: 'string' },
  api: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
  version: { type: 'boolean' },
} as const

const commands = ['analyse', 'quote', 'export', 'watch', 'search', 'mcp', 'balance']
const version = typeof CUTINDEX_VERSION === 'string' ? CUTINDEX_VERSION : '0.0.0'
const stop = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.once(name, interrupt)
}
const isJson = process.argv.includes('--json')
const output = createOutput({ isJson })
process.exitCode = await run(process.argv.slice(2)).catch((error: unknown) => {
  output.problem('cutindex', error)
  return exitCodeOf(error)
})

async function run(words: string[]): Promise<number> {
  const { values, positionals } = read(words)
  const [command, ...names] = positionals
  if (values.version) return say(version)
  if (values.help || command === undefined) return say(usage, command || values.help ? 0 : 2)
  checkAddress(values.api ?? process.env.CUTINDEX_API)
  if (command === 'login') return login(values.api)
  if (!commands.includes(command)) {
    throw new UsageError(`There is no command "${command}". See "cutindex --help".`)
  }
  const order = orderOf(values)
  const stored = await findKey(process.env)
  const client = new CutIndex({
    apiKey: stored.apiKey,
    baseUrl: values.api ?? stored.baseUrl,
    // Long-running commands keep the default retries; the others give up after two.
    maxRetries: ['analyse', 'watch', 'mcp'].includes(command) ? undefined : 2,
  })
  const { signal } = stop
  const need = (what: string): void => {
    if (names.length === 0) throw new UsageError(`Name ${what}. See "cutindex --help".`)
  }
  switch (command) {
    case 'analyse':
      need('the files')
      return analyseAll({ client, order, output, signal }, names)
    case 'quote':
      need('the files')
      return quoteAll({ client, order, output, signal }, names)
    case 'export':
      need('the jobs')
      return exportAll({ client, order, output, signal }, names)
    case 'watch': {
      need('the folder')
      const settleMs = numberOf(values.settle ?? '3', '--settle') * 1000
      const [folder = '.', ...more] = names
      if (more.length > 0) throw new UsageError('Name one folder. See "cutindex --help".')
      // Reports a wrong key once, not for each file.
      await client.api.getCurrentApiKey(undefined, { signal })
      return watchFolder(client, folder, {
        order,
        settleMs,
        once: values.once ?? false,
        output,
        signal,
      })
    }
    case 'search':
      need('the words')
      return search(client, names.join(' '), {
        output,
        limit: numberOf(values.limit ?? '20', '--limit'),
        signal,
      })
    case 'mcp': {
      const { serveStdio } = await import('../agent/stdio.ts')
      await serveStdio(client, { version, signal })
      return 0
    }
    default:
      return balance(client, output, signal)
  }
}

function interrupt(): void {
  stop.abort(new DOMException('Interrupted', 'AbortError'))
}

function checkAddress(address: string | undefined): void {
  if (address === undefined || /^https?:\/\/[^\s/]/.test(address)) return
  throw new UsageError(`"${address}" is no address of the service. It begins with https://`)
}

function read(words: string[]) {
  try {
    return parseArgs({ args: words, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(`${(error as Error).message} See "cutindex --help".`)
  }
}

async function search(
  client: CutIndex,
  text: string,
  { output, limit, signal }: { output: Output; limit: number; signal: AbortSignal },
): Promise<number> {
  for (const hit of await client.search(text, { limit, signal })) {
    const text = hit.text.replaceAll(/\s+/g, ' ')
    output.result(`${hit.content_name} ${hit.timecode} ${hit.kind}: ${text}`, hit)
  }
  return 0
}

async function balance(client: CutIndex, output: Output, signal: AbortSignal): Promise<number> {
  const me = await client.api.getMe(undefined, { signal })
  const value = { account_balance_usd: me.account_balance_usd }
  output.result(`$${me.account_balance_usd.toFixed(2)} can be spent`, value)
  return 0
}

/** The key is read, tried, and kept; it never stands on the command line, where others see it. */
async function login(api: string | undefined): Promise<number> {
  const { signal } = stop
  const apiKey = (await readSecret('API key: ')).trim()
  signal.throwIfAborted()
  if (!apiKey) throw new UsageError('No key was given.')
  checkKey(apiKey, 'This')
  const baseUrl = api ?? process.env.CUTINDEX_API
  const client = new CutIndex({ apiKey, baseUrl, maxRetries: 2 })
  const { name } = (await client.api.getCurrentApiKey(undefined, { signal })).apiKey
  // A key with scopes may not be allowed to say whose it is.
  const email = await client.api.getMe(undefined, { signal }).then(
    (me) => me.email,
    () => undefined,
  )
  const path = keyFilePath(process.env)
  await writeKey(path, { apiKey, baseUrl })
  const whose = email ? `“${name}” of ${email}` : `“${name}”`
  output.result(`The key ${whose} is kept in ${path}.`, { name, email, file: path })
  return 0
}

/** From a pipe its first line; on a terminal what is typed, without showing it. */
async function readSecret(prompt: string): Promise<string> {
  const { stdin, stderr } = process
  if (stdin.isTTY) stderr.write(prompt)
  // With a terminal of its own readline echoes to its output; there is none.
  const lines = createInterface({ input: stdin, terminal: stdin.isTTY, signal: stop.signal })
  // A terminal that readline holds sends no signal.
  lines.once('SIGINT', () => interrupt())
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
    if (stdin.isTTY) stderr.write('\n')
  }
}

function say(text: string, exitCode = 0): number {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
  return exitCode
}
