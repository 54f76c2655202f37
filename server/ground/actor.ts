import { mayUse } from '../../contract/endpoint.ts'
import type { Scope } from '../../contract/endpoint.ts'

/** Who calls a verb. A click, an API key and a background task call the same verbs. */
export type Actor = SessionActor | KeyActor | TicketActor | AnyoneActor

export interface SessionActor {
  kind: 'session'
  accountId: string
  sessionId: string
  /** A redirect's token lives for 5 minutes and is exchanged for a session's. */
  tokenKind: 'redirect' | 'session'
}

export interface KeyActor {
  kind: 'key'
  /** The account of the key; for a test key, the account that holds test objects. */
  accountId: string
  keyId: string
  /** Null: everything that keys may do. */
  scopes: readonly Scope[] | null
}

/** The bearer of a signed address; may read the one object that it names. */
export interface TicketActor {
  kind: 'ticket'
  accountId: string
  scope: string
  objectId: string
  /** The credential that requested the ticket, which expires with it. */
  credential: Credential
}

export interface Credential {
  kind: 'session' | 'key'
  id: string
}

export interface AnyoneActor {
  kind: 'anyone'
  accountId: null
  /** The network that the call comes from. */
  network: string
}

/** An actor who belongs to an account. */
export type Member = SessionActor | KeyActor | TicketActor

/** True if the actor has a scope, for a verb that returns more than its endpoint's scope covers. */
export function mayDo(actor: Member, scope: Scope): boolean {
  return actor.kind !== 'key' || mayUse(actor.scopes, scope)
}

/** Lets the operator act for an account without one of its sessions. */
export function actFor(accountId: string): SessionActor {
  return { kind: 'session', accountId, sessionId: '', tokenKind: 'session' }
}
