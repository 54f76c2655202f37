/** OpenAPI 3.1 from the contract: nothing here is written twice or checked in. */
import { stringify } from 'yaml'
import * as z from 'zod'
import { api } from '../../contract/api.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { ErrorAnswer, refusalStatus } from '../../contract/refusal.ts'
import type { RefusalCode } from '../../contract/refusal.ts'
import type { Config } from '../ground/config.ts'

type Json = Record<string, unknown>

const tagTexts: Record<Endpoint['tag'], string> = {
  Service: 'Whether the service is up.',
  Accounts: 'Sign-in, sessions and the signed-in user.',
  Billing: 'Balance, history and receipts.',
  Payments: 'Credit packages, saved cards and auto-reload.',
  Projects: 'Folders of content and what their timelines share.',
  Content: 'The library: uploads and references.',
  'API keys': 'Keys for programmatic access.',
  Webhooks: 'Signed messages to your own server when something happened.',
  Jobs: 'Quotes, jobs, findings, exports and search.',
  Cuts: 'Rough cuts: one timeline from many clips.',
  Syncs: 'Recordings of one scene put onto one clock by their sound.',
}

export function openApiDocument(config: Pick<Config, 'publicUrl' | 'version'>): Json {
  const schemas: Json = {}
  const convert = (schema: z.ZodType, io: 'input' | 'output'): Json => {
    const { $schema: _, $defs, ...rest } = z.toJSONSchema(schema, { io }) as Json
    for (const [name, definition] of Object.entries(($defs ?? {}) as Json)) {
      schemas[name] ??= rewriteReferences(definition)
    }
    return rewriteReferences(rest) as Json
  }
  const error = convert(z.object({ error: ErrorAnswer }), 'output')
  const errorReference = (error.properties as Json).error as Json
  const paths: Record<string, Json> = {}
  for (const [name, endpoint] of Object.entries<Endpoint>(api)) {
    const path = (paths[`/v1${endpoint.path}`] ??= {})
    path[endpoint.method.toLowerCase()] = operation(name, endpoint, convert, errorReference)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'CutIndex API',
      version: config.version,
      description:
        'Pay-per-use analysis and indexing of video, audio and text for professional editors. Every error answers with `message`, `error` (the same sentence) and `code`.',
      contact: { name: 'CutIndex', url: `${config.publicUrl}/docs/developer` },
      license: { name: 'Proprietary', url: `${config.publicUrl}/terms` },
    },
    servers: [{ url: config.publicUrl }],
    tags: Object.entries(tagTexts).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        session: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token of a signed-in session.',
        },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'ci_live_…',
          description:
            'An API key, created in the profile’s security section. `ci_test_…` keys cost nothing, analyse nothing and have objects of their own.',
        },
        ticket: {
          type: 'apiKey',
          in: 'query',
          name: 'ticket',
          description: 'A short-lived signed ticket for one object.',
        },
      },
      schemas,
    },
  }
}

export function openApiYaml(config: Pick<Config, 'publicUrl' | 'version'>): string {
  return stringify(openApiDocument(config), {
    aliasDuplicateObjects: false,
    lineWidth: 100,
    // Readers of the older version take no, y and 01:00 for other things than texts.
    compat: 'yaml-1.1',
  })
}

type Convert = (schema: z.ZodType, io: 'input' | 'output') => Json

function operation(name: string, endpoint: Endpoint, convert: Convert, error: Json): Json {
  return {
    operationId: name,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...descriptionOf(endpoint),
    security: securityOf(endpoint),
    ...parametersOf(endpoint, convert),
    ...requestBodyOf(endpoint, convert),
    responses: { ...successOf(endpoint, convert), ...refusalsOf(endpoint, error) },
  }
}

/** Appends the scope that a key needs; programs find it in `x-scope`. */
function descriptionOf({ description, scope }: Endpoint): Json {
  if (!scope) return description ? { description } : {}
  const needed = scope === 'any' ? 'Any API key may call it.' : `API key scope: \`${scope}\`.`
  return { description: [description, needed].filter(Boolean).join('\n\n'), 'x-scope': scope }
}

function securityOf(endpoint: Endpoint): Json[] {
  if (endpoint.auth === 'anyone') return []
  if (endpoint.auth === 'session') return [{ session: [] }]
  if (endpoint.auth === 'key') return [{ session: [] }, { apiKey: [] }]
  return [{ session: [] }, { apiKey: [] }, { ticket: [] }]
}

function parametersOf(endpoint: Endpoint, convert: Convert): Json {
  const fieldsOf = (object: z.ZodObject | undefined, place: 'path' | 'query'): Json[] =>
    Object.entries(object?.shape ?? {})
      .filter(([name]) => name !== 'ticket')
      .map(([name, schema]) => {
        const { description, ...rest } = convert(schema as z.ZodType, 'input')
        const isRequired = place === 'path' || !(schema as z.ZodType).safeParse(undefined).success
        return {
          name,
          in: place,
          required: isRequired,
          ...(description ? { description } : {}),
          schema: rest,
        }
      })
  const parameters = [...fieldsOf(endpoint.params, 'path'), ...fieldsOf(endpoint.query, 'query')]
  if (endpoint.creates) {
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'For 24 hours the same key with the same body gives the same answer, and has one effect.',
      schema: { type: 'string', maxLength: 255 },
    })
  }
  for (const [name, description] of Object.entries(endpoint.headers ?? {})) {
    const schema = { type: 'string', maxLength: 4096 }
    parameters.push({ name, in: 'header', required: true, description, schema })
  }
  return parameters.length ? { parameters } : {}
}

function requestBodyOf(endpoint: Endpoint, convert: Convert): Json {
  if (endpoint.rawBody) {
    const { contentType, schema, mayBeEmpty } = endpoint.rawBody
    return { requestBody: { required: !mayBeEmpty, content: { [contentType]: { schema } } } }
  }
  if (!endpoint.body) return {}
  const example = endpoint.example?.body
  return {
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: convert(endpoint.body, 'input'),
          ...(example ? { example } : {}),
        },
      },
    },
  }
}

function successOf(endpoint: Endpoint, convert: Convert): Json {
  const status = String(endpoint.status ?? 200)
  if (endpoint.rawReply) {
    const { contentType, description, schema, refused } = endpoint.rawReply
    const hasNoBody = status === '204' || status === '302' || endpoint.method === 'HEAD'
    const types = [contentType].flat().map((type) => type.replace(/;.*/, ''))
    const content = Object.fromEntries(
      types.map((type) => [type, { schema: schema ?? fileSchema(type) }]),
    )
    const refusal = {
      description: 'Refused.',
      content: { 'application/json': { schema: refused } },
    }
    return {
      [status]: { description, ...(hasNoBody ? {} : { content }) },
      ...(refused ? { 400: refusal } : {}),
    }
  }
  const example = endpoint.example?.reply
  return {
    [status]: {
      description: 'Done.',
      content: {
        'application/json': {
          schema: endpoint.reply ? convert(endpoint.reply, 'output') : {},
          ...(example ? { example } : {}),
        },
      },
    },
  }
}

function fileSchema(type: string): Json {
  if (type === 'application/json') return { type: 'object' }
  const isText = type.startsWith('text/') || /xml$|subrip$/.test(type)
  return isText ? { type: 'string' } : { type: 'string', format: 'binary' }
}

function refusalsOf(endpoint: Endpoint, error: Json): Json {
  const codes = new Set<RefusalCode>(endpoint.refusals)
  codes.add('rate_limited')
  if (endpoint.auth !== 'anyone') codes.add('unauthenticated')
  if (endpoint.auth !== 'anyone') codes.add('forbidden')
  if (/\{(id|number|token)\}/.test(endpoint.path)) codes.add('not_found')
  if (endpoint.body || endpoint.query) codes.add('invalid')
  if (endpoint.body) codes.add('malformed').add('too_large').add('unsupported_type')
  if (endpoint.creates) codes.add('in_flight').add('idempotency_mismatch')
  const byStatus = new Map<number, RefusalCode[]>()
  for (const code of codes) {
    const status = refusalStatus[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      String(status),
      {
        description: `Refused: ${list.map((code) => `\`${code}\``).join(', ')}.`,
        content: { 'application/json': { schema: error } },
      },
    ]),
  )
}

function rewriteReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewriteReferences)
  if (typeof value !== 'object' || value === null) return value
  // Spectral, Prism and Orval know no items that are false; `maxItems` ends a tuple anyway.
  const tuple = 'prefixItems' in value ? { items: (value.prefixItems as Json[]).at(-1) } : {}
  return Object.fromEntries(
    Object.entries<unknown>({ ...value, ...tuple })
      // The registry's own name of a schema; a property called id is an object, not a text.
      .filter(([key, item]) => key !== 'id' || typeof item !== 'string')
      .map(([key, item]) => [
        key,
        key === '$ref' && typeof item === 'string'
          ? item.replace('#/$defs/', '#/components/schemas/')
          : rewriteReferences(item),
      ]),
  )
}
