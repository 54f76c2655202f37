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
    const found = value(name)
    if (typeof found === 'object') {
      throw invalidRequest(`Invalid string: ${label(name)}`, { param: label(name) })
    }
    if (found !== undefined && found.length > 5000) {
      throw invalidRequest(`Invalid string: ${label(name)} must be at most 5000 characters`, {
        param: label(name),
      })
    }
    return found
  }

  function subtree(name: string): FormTree | undefined {
    const found = value(name)
    if (found === undefined || found === '') return undefined
    if (typeof found === 'string') {
      throw invalidRequest('Invalid object', { param: label(name) })
    }
    return found
  }

  function require<T>(name: string, found: T | undefined): T {
    if (found === undefined || found === '') {
      throw invalidRequest(`Missing required param: ${label(name)}.`, {
        code: 'parameter_missing',
        param: label(name),
      })
    }
    return found
  }

  function integer(name: string): number | undefined {
    const found = text(name)
    if (found === undefined || found === '') return undefined
    if (!/^-?\d{1,15}$/.test(found)) {
      throw invalidRequest(`Invalid integer: ${found}`, {
        code: 'parameter_invalid_integer',
        param: label(name),
      })
    }
    return Number(found)
  }

  function boolean(name: string): boolean | undefined {
    const found = text(name)
    if (found === undefined || found === '') return undefined
    if (found === 'true') return true
    if (found === 'false') return false
    throw invalidRequest(`Invalid boolean: ${found}`, { param: label(name) })
  }

  function object(name: string): Params | undefined {
    const found = subtree(name)
    if (found === undefined) return undefined
    const params = readParams(found, label(name))
    nested.push(params)
    return params
  }

  function objects(name: string): Params[] {
    const found = subtree(name) ?? {}
    return Object.keys(found).map((index) => {
      const item = found[index]
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
    const found = subtree(name)
    if (found === undefined) return value(name) === '' ? {} : undefined
    const entries = Object.entries(found)
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
