/** How an endpoint of the contract and the function that answers it fit together. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Api, EndpointName } from '../../contract/api.ts'
import type { Input, Reply } from '../../contract/endpoint.ts'
import type { AnyoneActor, KeyActor, Member, SessionActor } from './actor.ts'
import type { Context } from './context.ts'

/** The one shape of a verb, named by its endpoint: `Verb<'createJob'>`. */
export type Verb<Name extends EndpointName> = (
  ctx: Context,
  actor: ActorFor<Api[Name]>,
  input: Input<Api[Name]>,
  ...call: CallFor<Api[Name]>
) => Promise<Reply<Api[Name]>>

export type Verbs = { [Name in EndpointName]: Verb<Name> }

type ActorFor<E> = E extends { auth: 'anyone' }
  ? AnyoneActor
  : E extends { auth: 'session' }
    ? SessionActor
    : E extends { auth: 'key' }
      ? SessionActor | KeyActor
      : Member

/**
 * Only endpoints that the contract calls raw get the connection; only those that create get an
 * effect.
 */
type CallFor<E> = E extends { rawBody: object } | { rawReply: object } | { cookies: true }
  ? [exchange: Exchange]
  : E extends { creates: true }
    ? [call: Call]
    : []

interface Call {
  /**
   * Id for the new object if there is an `Idempotency-Key`; a repeated request has the same one.
   */
  effectId: string | undefined
  /** Origin of the calling page, if it is allowed. */
  pageOrigin?: string | undefined
}

/** Input of verbs that use the connection itself: streams, redirects, cookies, events. */
export interface Exchange extends Call {
  request: FastifyRequest
  reply: FastifyReply
  /** For a body that the verb reads itself: runs once per `Idempotency-Key` and body. */
  once: <Made>(read: unknown, run: () => Promise<Made>) => Promise<Made>
}
