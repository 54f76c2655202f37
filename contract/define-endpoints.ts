import type * as z from 'zod'
import type { Endpoint } from './endpoint.ts'
import { idParams } from './fields.ts'

type Auth = Endpoint['auth']
type OwnFields = Omit<Endpoint, 'tag' | 'auth'> & { auth?: Auth }
type Standard<T, A> = { tag: T; auth: A; params: typeof idParams }
/** An endpoint with the standard fields but where it names its own; an id only if its path has. */
type Complete<E, S> = E &
  Omit<S, keyof E | (E extends { path: `${string}{id}${string}` } ? never : 'params')>

/** Endpoints of one noun. Each lets in whom `auth` says, but where it says otherwise itself. */
export function defineEndpoints<
  const T extends Endpoint['tag'],
  const A extends Auth,
  const E extends Record<string, OwnFields>,
>(tag: T, auth: A, endpoints: E): { [Name in keyof E]: Complete<E[Name], Standard<T, A>> } {
  const complete = Object.entries(endpoints).map(([name, own]) => {
    const params: { params?: z.ZodObject } = own.path.includes('{id}') ? { params: idParams } : {}
    return [name, { tag, auth, ...params, ...own }]
  })
  return Object.fromEntries(complete) as {
    [Name in keyof E]: Complete<E[Name], Standard<T, A>>
  }
}
