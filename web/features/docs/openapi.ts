/** Reads the OpenAPI description into what the reference page shows. */
import { parse } from 'yaml'

export interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  format?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  default?: unknown
}

interface MediaType {
  schema?: Schema
  example?: unknown
}

export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: Schema
}

export interface Operation {
  id: string
  method: string
  path: string
  tag: string
  summary: string
  description: string
  access: string
  parameters: Parameter[]
  body: { contentType: string; schema: Schema; example: unknown } | null
  answers: { status: string; description: string; contentType: string; schema: Schema | null }[]
}

export interface Reference {
  title: string
  version: string
  groups: { tag: string; description: string; operations: Operation[] }[]
  schemas: Record<string, Schema>
}

interface RawOperation {
  operationId?: string
  tags?: string[]
  summary?: string
  description?: string
  security?: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: { content?: Record<string, MediaType> }
  responses?: Record<string, { description?: string; content?: Record<string, MediaType> }>
}

interface RawDocument {
  info: { title: string; version: string }
  tags?: { name: string; description?: string }[]
  paths: Record<string, Record<string, RawOperation>>
  components?: { schemas?: Record<string, Schema> }
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head']

/** Asks for the description and reads it beside the page, which meanwhile stays quick. */
export function loadReference(signal?: AbortSignal): Promise<Reference> {
  const worker = new Worker(new URL('./read-openapi.ts', import.meta.url), { type: 'module' })
  const { promise, resolve, reject } = Promise.withResolvers<Reference>()
  worker.addEventListener('message', ({ data }: MessageEvent<Reference | null>) =>
    data ? resolve(data) : reject(new Error('/openapi.yaml could not be read.')),
  )
  worker.addEventListener('error', () => reject(new Error('The reader could not be started.')))
  signal?.addEventListener('abort', () => reject(new Error('No longer wanted.')))
  return promise.finally(() => worker.terminate())
}

export function readReference(yaml: string): Reference {
  const document = parse(yaml) as RawDocument
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => readOperation(method, path, operation)),
  )
  const tags = document.tags ?? []
  const unlisted = [...new Set(operations.map((operation) => operation.tag))]
    .filter((name) => !tags.some((tag) => tag.name === name))
    .map((name) => ({ name, description: '' }))
  return {
    title: document.info.title,
    version: document.info.version,
    schemas: document.components?.schemas ?? {},
    groups: [...tags, ...unlisted]
      .map((tag) => ({
        tag: tag.name,
        description: tag.description ?? '',
        operations: operations.filter((operation) => operation.tag === tag.name),
      }))
      .filter((group) => group.operations.length > 0),
  }
}

function readOperation(method: string, path: string, raw: RawOperation): Operation {
  const [contentType, media] = Object.entries(raw.requestBody?.content ?? {})[0] ?? []
  return {
    id: raw.operationId ?? `${method}-${path}`,
    method: method.toUpperCase(),
    path,
    tag: raw.tags?.[0] ?? 'Other',
    summary: raw.summary ?? '',
    description: raw.description ?? '',
    access: readAccess(raw.security),
    parameters: raw.parameters ?? [],
    body:
      contentType && media
        ? { contentType, schema: media.schema ?? {}, example: media.example }
        : null,
    answers: Object.entries(raw.responses ?? {}).map(([status, answer]) => {
      const types = Object.keys(answer.content ?? {})
      return {
        status,
        description: answer.description ?? '',
        contentType: types.join(', '),
        schema: answer.content?.[types[0] ?? '']?.schema ?? null,
      }
    }),
  }
}

function readAccess(security: Record<string, unknown>[] | undefined): string {
  const names = (security ?? []).flatMap((item) => Object.keys(item))
  if (names.length === 0) return 'Open to anyone'
  return names.includes('apiKey') ? 'Session or API key' : 'Signed-in session only'
}

export function resolveSchema(schema: Schema, schemas: Record<string, Schema>): Schema {
  const name = referenceName(schema)
  return name ? (schemas[name] ?? schema) : schema
}

export function referenceName(schema: Schema): string | null {
  return schema.$ref?.split('/').at(-1) ?? null
}

/** The type in one line: "string (uuid)", "array of Job", "one of queued, running". */
export function typeText(schema: Schema): string {
  const name = referenceName(schema)
  if (name) return name
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return `one of ${schema.enum.map(String).join(', ')}`
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (choices) return choices.map(typeText).join(' or ')
  if (schema.items) return `array of ${typeText(schema.items)}`
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'any')
  return schema.format ? `${type} (${schema.format})` : type
}
