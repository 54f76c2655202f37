import type { Params } from './params.ts'

/** One request to the payments API, after authentication. */
export type Call = {
  params: Params
  path: Record<string, string>
  caller: 'secret' | 'publishable'
}
