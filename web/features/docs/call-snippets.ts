/**
 * Shows a call in each language, from the service's own description. Ids of your objects are
 * variables of the environment ($JOB_ID); the tests run every snippet.
 */
import type { Operation } from './openapi.ts'
import { inLanguages } from './snippets.ts'
import type { Snippet } from './snippets.ts'

/** Nothing for calls that no key may make, and for the protocol of resumable uploads (tus). */
export function callSnippets(operation: Operation): readonly Snippet[] {
  const isTus = operation.path.startsWith('/v1/content/resumable')
  if (operation.access !== 'Session or API key' || isTus) return []
  const call = readCall(operation)
  return inLanguages({ curl: curl(call), typescript: typescript(call), python: python(call) })
}

interface Call {
  name: string
  method: string
  /** The path in parts: text, or what is filled in. */
  path: readonly (string | { param: string; variable: string })[]
  /** Example query; null if the call has no parameters. */
  query: Record<string, string | number> | null
  body: unknown
  isFile: boolean
  answer: 'json' | 'events' | 'file'
}

/** Values for the queries that a call cannot do without. */
const queryValues: Record<string, string | number> = {
  format: 'fcpxml',
  q: 'light',
  content_id: '3f9c2a1b-6d0e-4b57-9a4e-0c7f5d1e2a34',
  start: 0,
  seconds: 1,
}
/** Example query parameters for calls that require any one of several optional ones. */
const anyOneParameters: Record<string, Record<string, string>> = {
  listComments: { cut_id: '3f9c2a1b-6d0e-4b57-9a4e-0c7f5d1e2a34' },
}

function readCall({ id, method, path, parameters, body, answers }: Operation): Call {
  const good = answers.find(({ status }) => status.startsWith('2'))?.contentType ?? ''
  const queries = parameters.filter((parameter) => parameter.in === 'query')
  const required = queries.filter((parameter) => parameter.required)
  return {
    name: id,
    method,
    path: path.split(/(?<=\/)(?=\{)|(?<=\})/).map((part, index, parts) => {
      const param = /^\{(\w+)\}$/.exec(part)?.[1]
      return param ? { param, variable: variableOf(parts[index - 1] ?? '', param) } : part
    }),
    query:
      queries.length > 0
        ? {
            ...Object.fromEntries(required.map(({ name }) => [name, queryValues[name] ?? ''])),
            ...anyOneParameters[id],
          }
        : null,
    body: body?.example,
    isFile: body?.contentType === 'multipart/form-data',
    answer:
      good === 'application/json' ? 'json' : good.includes('event-stream') ? 'events' : 'file',
  }
}

/** JOB_ID for the id after /jobs/, FILE_NAME for the name after /files/. */
function variableOf(before: string, param: string): string {
  const noun = before.split('/').at(-2) ?? ''
  return `${noun.replace(/(?<=ch)es$|s$/, '')}_${param}`.toUpperCase()
}

function curl({ method, path, query, body, isFile, answer }: Call): string {
  const way = path.map((part) => (typeof part === 'string' ? part : `$${part.variable}`)).join('')
  const words = `${answer === 'events' ? '-sSN' : '-sS'} --fail-with-body`
  const verb = method === (body || isFile ? 'POST' : 'GET') ? '' : ` -X ${method}`
  const lines = [
    `curl ${words}${verb} "$CUTINDEX_API${way}${queryText(query)}"`,
    '-H "Authorization: Bearer $CUTINDEX_API_KEY"',
  ]
  if (isFile) lines.push('-F file=@clip.mp4')
  if (body) {
    lines.push('-H "Content-Type: application/json"')
    lines.push(`-d '${JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`)}'`)
  }
  if (answer === 'file') lines.push('-o answer')
  return lines.join(' \\\n  ')
}

function queryText(query: Call['query']): string {
  const pairs = Object.entries(query ?? {}).map(([name, value]) => [name, String(value)])
  const text = new URLSearchParams(pairs).toString()
  return text && `?${text}`
}

function typescript({ name, path, query, body, isFile, answer }: Call): string {
  const params = path.flatMap((part) => (typeof part === 'string' ? [] : [part]))
  const values = params.map(({ param, variable }) => `${param}: process.env.${variable} ?? ''`)
  const args = [
    ...(values.length > 0 ? [`params: { ${values.join(', ')} }`] : []),
    ...(query ? [`query: ${script(query)}`] : []),
    ...(body ? [`body: ${script(body)}`] : []),
  ]
  const input = args.length > 0 ? `{\n  ${args.join(',\n').replaceAll('\n', '\n  ')},\n}` : ''
  const lines = [
    "import { CutIndex } from 'cutindex'",
    ...(isFile ? ["import { openFile } from 'cutindex/files'"] : []),
    '',
    'const client = new CutIndex({',
    "  apiKey: process.env.CUTINDEX_API_KEY ?? '',",
    '  baseUrl: process.env.CUTINDEX_API,',
    '})',
  ]
  if (isFile) {
    lines.push("const item = await client.content.upload(await openFile('clip.mp4'))")
    lines.push('console.log(item)')
  } else if (answer === 'json') {
    lines.push(`console.log(await client.api.${name}(${input}))`)
  } else {
    lines.push(`const answer = await client.open('${name}', ${input || '{}'})`)
    if (answer === 'file') lines.push('console.log((await answer.blob()).size)')
    else {
      lines.push('for await (const event of answer.body ?? []) {')
      lines.push('  console.log(new TextDecoder().decode(event))', '  break', '}')
    }
  }
  return lines.join('\n')
}

/** A value as it is written in TypeScript. */
function script(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replaceAll(/^(\s*)"(\w+)":/gm, '$1$2:')
    .replaceAll('"', "'")
}

function python({ method, path, query, body, isFile, answer }: Call): string {
  const way = path
    .map((part) => (typeof part === 'string' ? part : `{os.environ['${part.variable}']}`))
    .join('')
  const options = [
    `headers={"Authorization": f"Bearer {os.environ['CUTINDEX_API_KEY']}"}`,
    ...(queryText(query) ? [`params=${literal(query)}`] : []),
    ...(body ? [`json=${literal(body)}`] : []),
    ...(isFile ? ['files={"file": open("clip.mp4", "rb")}'] : []),
    ...(answer === 'events' ? ['stream=True'] : []),
    'timeout=120',
  ]
  const lines = [
    'import os',
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    f"{os.environ['CUTINDEX_API']}${way}",`,
    ...options.map((line) => `    ${line.replaceAll('\n', '\n    ')},`),
    ')',
    'response.raise_for_status()',
  ]
  if (answer === 'json') lines.push('print(response.json())')
  else if (answer === 'file') lines.push('print(len(response.content))')
  else lines.push('print(next(response.iter_lines()))', 'response.close()')
  return lines.join('\n')
}

/** A value as it is written in Python: JSON but for three words. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 4).replaceAll(
    /(?<=[:[\s])(true|false|null)(?=[,\n\]}])/g,
    (word) => ({ true: 'True', false: 'False' })[word] ?? 'None',
  )
}
