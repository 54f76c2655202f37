/** Requests that no well-meaning client sends, made from the contract's own schemas. */
import type * as z from 'zod'
import { api } from '../../contract/api.ts'
import type { EndpointName } from '../../contract/api.ts'
import type { Endpoint } from '../../contract/endpoint.ts'

export interface BadRequest {
  name: string
  endpoint: Endpoint
  /** Exactly what stands in the request line. */
  path: string
  method: string
  headers: Record<string, string>
  body?: string | Uint8Array
  /** Whether the contract refuses it; otherwise it must only not be our fault. */
  isRefused: boolean
}

export interface Ground {
  /** Path parameters that name nothing, by parameter name. */
  params: Record<string, string>
  /** A body and a query that the contract takes, by endpoint name; else the contract's example. */
  bodies: Record<string, Record<string, unknown>>
  queries: Record<string, Record<string, string>>
}

/** JSON texts in the place of one field. */
const hostileJson = [
  'null',
  'true',
  '0',
  '-1',
  '-0.5',
  '1e308',
  '-1e308',
  '1e999',
  '9007199254740993',
  '18446744073709551616',
  '""',
  '" "',
  JSON.stringify('x'.repeat(100_000)),
  String.raw`"a\u0000b"`,
  String.raw`"\ud800"`,
  String.raw`"\udc00x\ud800"`,
  '"\u202e\u2028"',
  `"'; drop table accounts; --"`,
  '"../../etc/passwd"',
  '"NaN"',
  '[]',
  '[[]]',
  '{}',
  '{"__proto__":{"a":1}}',
  '["a","b"]',
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
]

const brokenBodies: [string, string][] = [
  ['no JSON', '{'],
  ['NaN', '{"a":NaN}'],
  ['a trailing comma', '{"a":1,}'],
  ['two values', '{} {}'],
  ['a lone quote', '"'],
  ['text', 'hello'],
  ['an own prototype', '{"__proto__":{"x":1}}'],
  ['a constructor', '{"constructor":{"prototype":{"x":1}}}'],
]

const wrongShapes: [string, string][] = [
  ['an array', '[]'],
  ['a number', '7'],
  ['a string', '"text"'],
  ['null in an array', '[null]'],
  ['100,000 levels', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['5,000 objects deep', `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`],
]

const hostileQuery = [
  '',
  '%20',
  'NaN',
  'Infinity',
  '-1',
  '0',
  '1.5',
  '1e99',
  '99999999999999999999',
  'a%00b',
  '%ED%A0%80',
  '%FF%FE',
  '%E2%80%AE',
  '%27%3B%20drop%20table%20jobs%3B--',
  '%25%5F%5C',
  '..%2F..%2Fetc%2Fpasswd',
  '%zz',
  'x'.repeat(3000),
  'MjAyNS0wMS0wMVQwMDowMDowMC4wMDBaIC0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tLQ',
  'MjAyNS0xMy00NVQ5OTo5OTo5OS4wMDBaIDAwMDAwMDAwLTAwMDAtNDAwMC04MDAwLTAwMDAwMDAwMDAwMA',
  '9999999999999999-999999999999999',
  '999999999999999',
  '%5B%5D',
  '%7B%22a%22%3A1%7D',
]

const hostileParams = [
  'x',
  '0',
  '-1',
  'null',
  '%00',
  'a%00b',
  '%ED%A0%80',
  '%zz',
  '%',
  '..%2F..',
  '%2e%2e',
  '%27%20or%201%3D1',
  'x'.repeat(150),
  'x'.repeat(299),
  'x'.repeat(5000),
  '00000000-0000-0000-0000-000000000000',
  '3f9c2a1b-6d0e-4b57-9a4e-0c7f5d1e2a3',
  '3F9C2A1B-6D0E-4B57-9A4E-0C7F5D1E2A34',
]

/** For every endpoint, or for those that are named. */
export function badRequests(ground: Ground, names?: readonly EndpointName[]): BadRequest[] {
  const chosen = Object.entries<Endpoint>(api).filter(
    ([name]) => names?.includes(name as EndpointName) ?? true,
  )
  return chosen.flatMap(([name, endpoint]) => {
    const good = goodRequest(ground, name, endpoint)
    return [
      ...badBodies(good, goodBody(ground, name, endpoint)),
      ...badQueries(good, ground.queries[name] ?? {}),
      ...badParams(good),
      ...badTypes(good),
    ]
  })
}

function goodRequest(ground: Ground, name: string, endpoint: Endpoint): BadRequest {
  const query = new URLSearchParams(ground.queries[name]).toString()
  const body = goodBody(ground, name, endpoint)
  return {
    name,
    endpoint,
    method: endpoint.method,
    path: pathOf(ground, endpoint) + (query ? `?${query}` : ''),
    headers: body ? { 'content-type': 'application/json' } : {},
    ...(body ? { body: JSON.stringify(body) } : {}),
    isRefused: false,
  }
}

/** Without one the fields of a body would not be tried, and nobody would notice. */
function goodBody(
  ground: Ground,
  name: string,
  endpoint: Endpoint,
): Record<string, unknown> | undefined {
  const body = ground.bodies[name] ?? endpoint.example?.body
  const isMissing = endpoint.body && !endpoint.body.safeParse(body).success
  if (isMissing) throw new Error(`${name} needs a body that the contract takes.`)
  return body as Record<string, unknown> | undefined
}

function pathOf(ground: Ground, endpoint: Endpoint): string {
  return `/v1${endpoint.path.replace(/\{(\w+)\}/g, (_, param: string) => ground.params[param] ?? '')}`
}

function badBodies(good: BadRequest, body: Record<string, unknown> | undefined): BadRequest[] {
  const schema = good.endpoint.body
  const json = { 'content-type': 'application/json' }
  if (!schema || !body) {
    if (good.endpoint.method === 'GET' || good.endpoint.method === 'HEAD') return []
    if (good.endpoint.rawBody) return []
    return [
      { ...good, name: `${good.name}: broken JSON`, headers: json, body: '{', isRefused: true },
    ]
  }
  const ofField = Object.keys(schema.shape).flatMap((field) => [
    ...hostileJson.map((value) => ({
      what: `${field} = ${value}`,
      text: withField(body, field, value),
    })),
    { what: `no ${field}`, text: JSON.stringify({ ...body, [field]: undefined }) },
  ])
  return [
    ...ofField.map(({ what, text }) => ({
      ...good,
      name: `${good.name}: ${what.slice(0, 60)}`,
      body: text,
      isRefused: !schema.safeParse(JSON.parse(text)).success,
    })),
    ...[...brokenBodies, ...wrongShapes].map(([what, text]) => ({
      ...good,
      name: `${good.name}: ${what}`,
      body: text,
      isRefused: true,
    })),
    {
      ...good,
      name: `${good.name}: an unknown field`,
      body: withField(body, 'admin', 'true'),
      isRefused: isStrict(schema),
    },
    {
      ...good,
      name: `${good.name}: too large`,
      body: `"${'x'.repeat(1_100_000)}"`,
      isRefused: true,
    },
  ]
}

function badQueries(good: BadRequest, query: Record<string, string>): BadRequest[] {
  const schema = good.endpoint.query
  if (!schema) return []
  const [path = ''] = good.path.split('?')
  const others = (field: string): string =>
    Object.entries(query)
      .filter(([name]) => name !== field)
      .map(([name, value]) => `&${name}=${encodeURIComponent(value)}`)
      .join('')
  const fields = Object.keys(schema.shape).filter((field) => field !== 'ticket')
  const bad = (what: string, text: string, isRefused: boolean): BadRequest => ({
    ...good,
    name: `${good.name}?${what.slice(0, 60)}`,
    path: `${path}?${text}`,
    isRefused,
  })
  return [
    ...fields.flatMap((field) => [
      ...hostileQuery.map((value) => {
        const text = `${field}=${value}${others(field)}`
        return bad(`${field}=${value}`, text, isRefusedQuery(schema, text))
      }),
      bad(`${field} twice`, `${field}=1&${field}=2${others(field)}`, false),
      bad(`${field}[]`, `${field}[]=1${others(field)}`, isStrict(schema)),
    ]),
    bad('an unknown key', `admin=true${others('')}`, isStrict(schema)),
    bad('__proto__', `__proto__=1&__proto__[a]=1${others('')}`, isStrict(schema)),
  ]
}

function badParams(good: BadRequest): BadRequest[] {
  const names = [...good.endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
  const [path = '', query] = good.path.split('?')
  return names.flatMap((param) => {
    const place = good.endpoint.path.split('/').indexOf(`{${param}}`) + 1
    return hostileParams.map((value) => {
      const parts = path.split('/')
      parts[place] = value
      return {
        ...good,
        name: `${good.name}: {${param}} = ${value.slice(0, 40)}`,
        path: parts.join('/') + (query ? `?${query}` : ''),
        isRefused: true,
      }
    })
  })
}

/** Bodies that are not JSON, and methods that the address does not have. */
function badTypes(good: BadRequest): BadRequest[] {
  const { endpoint } = good
  const types = ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'x', '/', '']
  const isBodied = endpoint.body !== undefined
  const wrongTypes = isBodied
    ? types.map((type) => ({
        ...good,
        name: `${good.name}: content-type "${type}"`,
        headers: { 'content-type': type },
        isRefused: true,
      }))
    : []
  const known = Object.values<Endpoint>(api)
    .filter((other) => matches(other.path, endpoint.path))
    .map((other) => other.method as string)
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE']
  return [
    ...wrongTypes,
    ...methods
      .filter((method) => !known.includes(method))
      .map((method) => ({
        name: `${method} ${endpoint.path}`,
        endpoint,
        method,
        path: good.path,
        headers: {},
        isRefused: true,
      })),
  ]
}

/** Whether an address of `path` may also be one of `pattern`: /jobs/quote is a /jobs/{id}. */
function matches(pattern: string, path: string): boolean {
  const [wanted, actual] = [pattern.split('/'), path.split('/')]
  return (
    wanted.length === actual.length &&
    wanted.every((part, i) => part.startsWith('{') || part === actual[i])
  )
}

function withField(body: Record<string, unknown>, field: string, json: string): string {
  const rest = JSON.stringify({ ...body, [field]: undefined })
  return `${rest.slice(0, -1)}${rest === '{}' ? '' : ','}${JSON.stringify(field)}:${json}}`
}

function isRefusedQuery(schema: z.ZodObject, text: string): boolean {
  return !schema.safeParse(Object.fromEntries(new URLSearchParams(text))).success
}

function isStrict(schema: z.ZodObject): boolean {
  const issues = schema.safeParse({ unknown: '1' }).error?.issues ?? []
  return issues.some((issue) => issue.code === 'unrecognized_keys')
}
