/**
 * The contract as plain TypeScript declarations, made from the same schemas as the OpenAPI
 * document. The package needs no zod then, and an editor shows each field with its description.
 */
import * as z from 'zod'
import { api } from '../../contract/api.ts'
import { ContentFilter } from '../../contract/footage/content.ts'
import { extractorIds } from '../../domain/money/catalogue.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { ExportOptions } from '../../contract/footage/export-options.ts'
import { exportFormats } from '../../domain/export-formats.ts'
import { ErrorAnswer, refusalCodes } from '../../contract/refusal.ts'
import { optionFields } from '../../contract/footage/option-fields.ts'
import { jobOptions } from '../../domain/job-options.ts'

type Schema = {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  prefixItems?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  description?: string
  $defs?: Record<string, Schema>
}

export function contractTypes(): string {
  const named = new Map<string, string>()
  const typeOf = (schema: z.ZodType, io: 'input' | 'output'): string => {
    const { $defs = {}, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema
    for (const [name, definition] of Object.entries($defs)) {
      if (!named.has(name)) named.set(name, textOf(definition))
    }
    return textOf(rest)
  }
  const endpoints = Object.entries<Endpoint>(api)
  const table = endpoints.map(([name, endpoint]) => {
    const reply = endpoint.reply ? typeOf(endpoint.reply, 'output') : 'void'
    const raw = endpoint.rawReply ? ' rawReply: object;' : ''
    return `  ${name}: { args: ${argumentsOf(endpoint, typeOf)}; reply: ${reply};${raw} }`
  })
  const calls = endpoints
    .filter(([, endpoint]) => endpoint.reply)
    .map(([name, endpoint]) => {
      const isOptional = !/\b(params|query|body):/.test(argumentsOf(endpoint, typeOf))
      const args = `args${isOptional ? '?' : ''}: Api['${name}']['args']`
      const about = [
        endpoint.summary + '.',
        endpoint.description,
        `\`${endpoint.method} /v1${endpoint.path}\``,
      ]
      return `${comment(about.filter(Boolean).join(' '))}  ${name}(${args}, options?: CallOptions): Promise<Api['${name}']['reply']>`
    })
  // Named schemas are collected where another one holds them.
  typeOf(z.object({ error: ErrorAnswer }), 'output')
  typeOf(z.object({ options: ExportOptions }), 'input')
  const filter = typeOf(ContentFilter, 'input')
  const entities = [...named]
    .filter(([name]) => name !== 'ExportOptions')
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, text]) => `export type ${name === 'Error' ? 'ErrorAnswer' : name} = ${text}`)
  return [
    '// Made from the contract of the service.',
    `export type ExtractorId = ${union(extractorIds)}`,
    `export type ExportFormat = ${union(exportFormats)}`,
    `export type RefusalCode = ${union(refusalCodes)}`,
    `export type ExportOptionsInput = ${named.get('ExportOptions') ?? 'object'}`,
    `export type ContentFilter = ${filter}`,
    `export type JobOptions = ${typeOf(z.object(optionFields(jobOptions)), 'input')}`,
    ...entities,
    errorClass,
    `export interface Api {\n${table.join('\n')}\n}`,
    `export interface ApiClient {\n${calls.join('\n')}\n}`,
    fixedTypes,
  ].join('\n\n')
}

const errorClass = `export class CallError extends Error {
  status: number
  code: RefusalCode | 'network'
  body: Partial<ErrorAnswer>
  /** Seconds that the service asks to wait before the next attempt. */
  retryAfterSeconds: number | undefined
  constructor(status: number, body: Partial<ErrorAnswer>, retryAfterSeconds?: number)
}`

const fixedTypes = `export type Arguments<E extends { args: unknown }> = E['args']
export type Reply<E extends { reply: unknown }> = E['reply']
export type CallOptions = { signal?: AbortSignal; idempotencyKey?: string; keepalive?: boolean }
`

function argumentsOf(
  endpoint: Endpoint,
  typeOf: (schema: z.ZodType, io: 'input' | 'output') => string,
): string {
  const parts = (['params', 'query', 'body'] as const).flatMap((part) => {
    const schema = endpoint[part]
    if (!schema) return []
    const isOptional = schema.safeParse({}).success
    return [`${part}${isOptional ? '?' : ''}: ${typeOf(schema, 'input')}`]
  })
  return parts.length === 0 ? 'Record<string, never>' : `{ ${parts.join('; ')} }`
}

function textOf(schema: Schema): string {
  if (schema.$ref) {
    const name = schema.$ref.replace('#/$defs/', '')
    return name === 'Error' ? 'ErrorAnswer' : name
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return union(schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return [...new Set(choices.map(textOf))].join(' | ')
  if (schema.allOf) return schema.allOf.map((part) => `(${textOf(part)})`).join(' & ')
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => textOf({ ...schema, type })).join(' | ')
  }
  if (schema.prefixItems) return `[${schema.prefixItems.map(textOf).join(', ')}]`
  if (schema.type === 'array') return `Array<${schema.items ? textOf(schema.items) : 'unknown'}>`
  if (schema.type === 'object') return objectOf(schema)
  if (schema.type === 'integer' || schema.type === 'number') return 'number'
  return schema.type && ['string', 'boolean', 'null'].includes(schema.type)
    ? schema.type
    : 'unknown'
}

function objectOf({ properties, required = [], additionalProperties }: Schema): string {
  if (!properties) {
    const values =
      typeof additionalProperties === 'object' ? textOf(additionalProperties) : 'unknown'
    return `Record<string, ${values}>`
  }
  const fields = Object.entries(properties).map(([name, field]) => {
    const mark = required.includes(name) ? '' : '?'
    return `${comment(field.description)}  ${/^\w+$/.test(name) ? name : JSON.stringify(name)}${mark}: ${textOf(field)}`
  })
  return `{\n${fields.join('\n')}\n}`
}

function union(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(' | ')
}

function comment(text: string | undefined): string {
  return text ? `  /** ${text.replaceAll('*/', '* /')} */\n` : ''
}
