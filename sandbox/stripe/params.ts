/** Reads a request's parameters as strictly as the provider does: unknown ones are refused. */
import type { FormTree } from '../http.ts'
import { invalidRequest } from './errors.ts'
import type { Metadata } from './objects.ts'

export type Params = {
  text(name: string): string | undefined
  requireText(name: string): string
  integer(name: string): number | undefined
  requireInteger(name: string): number
  boolean(name: string): boolean | undefined
  object(name: string): Params | undefined
  objects(name: string): Params[]
  texts(name: string): string[]
  metadata(name: string): Metadata | undefined
  has(name: string): boolean
  /** Call it when everything known was read. */
  refuseRest(): void
}

export function readParams(tree: FormTree, prefix = ''): Params {
  const seen = new Set<string>()
  const nested: Params[] = []
  const label = (name: string): string => (prefix === '' ? name : `${prefix}[${name}]`)

  function value(name: string): string | FormTree | undefined {
    seen.add(name)
    return tree[name]
  }

  function text(name: string): string | undefined {
    const input = value(name)
    if (typeof input === 'object') {
      throw invalidRequest(`Invalid string: ${label(name)}`, { param: label(name) })
    }
    if (input !== undefined && input.length > 5000) {
      throw invalidRequest(`Invalid string: ${label(name)} must be at most 5000 characters`, {
        param: label(name),
      })
    }
    return input
  }

  function subtree(name: string): FormTree | undefined {
    const input = value(name)
    if (input === undefined || input === '') return undefined
    if (typeof input === 'string') {
      throw invalidRequest('Invalid object', { param: label(name) })
    }
    return input
  }

  function require<T>(name: string, input: T | undefined): T {
    if (input === undefined || input === '') {
      throw invalidRequest(`Missing required param: ${label(name)}.`, {
        code: 'parameter_missing',
        param: label(name),
      })
    }
    return input
  }

  function integer(name: string): number | undefined {
    const input = text(name)
    if (input === undefined || input === '') return undefined
    if (!/^-?\d{1,15}$/.test(input)) {
      throw invalidRequest(`Invalid integer: ${input}`, {
        code: 'parameter_invalid_integer',
        param: label(name),
      })
    }
    return Number(input)
  }

  function boolean(name: string): boolean | undefined {
    const input = text(name)
    if (input === undefined || input === '') return undefined
    if (['true', 'false'].includes(input)) return input === 'true'
    throw invalidRequest(`Invalid boolean: ${input}`, { param: label(name) })
  }

  function object(name: string): Params | undefined {
    const input = subtree(name)
    if (input === undefined) return undefined
    const params = readParams(input, label(name))
    nested.push(params)
    return params
  }

  function objects(name: string): Params[] {
    const input = subtree(name) ?? {}
    return Object.keys(input).map((index) => {
      const item = input[index]
      if (typeof item !== 'object') throw invalidRequest('Invalid array', { param: label(name) })
      const params = readParams(item, `${label(name)}[${index}]`)
      nested.push(params)
      return params
    })
  }

  function texts(name: string): string[] {
    return Object.values(subtree(name) ?? {}).filter((item) => typeof item === 'string')
  }

  function metadata(name: string): Metadata | undefined {
    const input = subtree(name)
    if (input === undefined) return value(name) === '' ? {} : undefined
    const entries = Object.entries(input)
    if (entries.length > 50) throw invalidRequest('Metadata has at most 50 keys.', { param: name })
    for (const [key, item] of entries) {
      if (typeof item !== 'string' || item.length > 500 || key.length > 40) {
        throw invalidRequest(
          `Metadata values must be strings of at most 500 characters, keys of at most 40: ${key}`,
          { param: label(name) },
        )
      }
    }
    return Object.fromEntries(entries) as Metadata
  }

  function refuseRest(): void {
    const unknown = Object.keys(tree).find((name) => !seen.has(name))
    if (unknown !== undefined) {
      throw invalidRequest(`Received unknown parameter: ${label(unknown)}`, {
        code: 'parameter_unknown',
        param: label(unknown),
      })
    }
    for (const params of nested) params.refuseRest()
  }

  return {
    text,
    requireText: (name) => require(name, text(name)),
    integer,
    requireInteger: (name) => require(name, integer(name)),
    boolean,
    object,
    objects,
    texts,
    metadata,
    has: (name) => tree[name] !== undefined,
    refuseRest,
  }
}
