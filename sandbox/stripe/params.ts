/** Reads a request's parameters as strictly as the provider does: unknown ones are refused. */
import type { FormTree } from '../http.ts'
import { invalidRequest } from './errors.ts'
import type { ApiError, ErrorBody } from './errors.ts'
import type { Metadata } from './objects.ts'

export class Params {
  #tree: FormTree
  #prefix: string
  #seen = new Set<string>()
  #nested: Params[] = []

  constructor(tree: FormTree, prefix = '') {
    this.#tree = tree
    this.#prefix = prefix
  }

  text(name: string): string | undefined {
    const input = this.#value(name)
    if (typeof input === 'object') throw this.#wrong(name, `Invalid string: ${this.#label(name)}`)
    if (input !== undefined && input.length > 5000) {
      const sentence = `Invalid string: ${this.#label(name)} must be at most 5000 characters`
      throw this.#wrong(name, sentence)
    }
    return input
  }

  requireText(name: string): string {
    return this.#require(name, this.text(name))
  }

  integer(name: string): number | undefined {
    const input = this.text(name)
    if (input === undefined || input === '') return undefined
    if (/^-?\d{1,15}$/.test(input)) return Number(input)
    throw this.#wrong(name, `Invalid integer: ${input}`, { code: 'parameter_invalid_integer' })
  }

  requireInteger(name: string): number {
    return this.#require(name, this.integer(name))
  }

  boolean(name: string): boolean | undefined {
    const input = this.text(name)
    if (input === undefined || input === '') return undefined
    if (['true', 'false'].includes(input)) return input === 'true'
    throw this.#wrong(name, `Invalid boolean: ${input}`)
  }

  object(name: string): Params | undefined {
    const input = this.#subtree(name)
    return input && this.#nest(input, this.#label(name))
  }

  objects(name: string): Params[] {
    const input = this.#subtree(name) ?? {}
    return Object.entries(input).map(([index, item]) => {
      if (typeof item !== 'object') throw this.#wrong(name, 'Invalid array')
      return this.#nest(item, `${this.#label(name)}[${index}]`)
    })
  }

  texts(name: string): string[] {
    return Object.values(this.#subtree(name) ?? {}).filter((item) => typeof item === 'string')
  }

  metadata(name: string): Metadata | undefined {
    const input = this.#subtree(name)
    if (input === undefined) return this.#value(name) === '' ? {} : undefined
    const entries = Object.entries(input)
    if (entries.length > 50) throw invalidRequest('Metadata has at most 50 keys.', { param: name })
    for (const [key, item] of entries) {
      if (typeof item !== 'string' || item.length > 500 || key.length > 40) {
        const sentence = `Metadata values must be strings of at most 500 characters, keys of at most 40: ${key}`
        throw this.#wrong(name, sentence)
      }
    }
    return Object.fromEntries(entries) as Metadata
  }

  /** Call it when everything known was read. */
  refuseRest(): void {
    const unknown = Object.keys(this.#tree).find((name) => !this.#seen.has(name))
    if (unknown !== undefined) {
      const sentence = `Received unknown parameter: ${this.#label(unknown)}`
      throw this.#wrong(unknown, sentence, { code: 'parameter_unknown' })
    }
    for (const params of this.#nested) params.refuseRest()
  }

  #value(name: string): string | FormTree | undefined {
    this.#seen.add(name)
    return this.#tree[name]
  }

  #subtree(name: string): FormTree | undefined {
    const input = this.#value(name)
    if (input === undefined || input === '') return undefined
    if (typeof input === 'string') throw this.#wrong(name, 'Invalid object')
    return input
  }

  #nest(tree: FormTree, prefix: string): Params {
    const params = new Params(tree, prefix)
    this.#nested.push(params)
    return params
  }

  #require<T>(name: string, input: T | undefined): T {
    if (input !== undefined && input !== '') return input
    const sentence = `Missing required param: ${this.#label(name)}.`
    throw this.#wrong(name, sentence, { code: 'parameter_missing' })
  }

  #label(name: string): string {
    return this.#prefix === '' ? name : `${this.#prefix}[${name}]`
  }

  #wrong(name: string, sentence: string, more: Partial<ErrorBody> = {}): ApiError {
    return invalidRequest(sentence, { ...more, param: this.#label(name) })
  }
}
