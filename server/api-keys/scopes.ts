/** Scopes limit the calls of a key: an endpoint names the one it takes, a key those it has. */
import { mayUse } from '../../contract/endpoint.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { KeyActor } from '../ground/actor.ts'
import { missingScope } from '../ground/refusal.ts'

/** An endpoint that names no scope is closed to every key that has scopes. */
export function refuseOutOfScope(actor: KeyActor, { scope }: Endpoint): void {
  if (scope ? mayUse(actor.scopes, scope) : actor.scopes === null) return
  throw missingScope(scope)
}
