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

/** Only what the contract calls raw sees the connection, and only what creates has an effect. */
type CallFor<E> = E extends { rawBody: object } | { rawReply: object } | { cookies: true }
  ? [exchange: Exchange]
  : E extends { creates: true }
    ? [call: Call]
    : []

interface Call {
  /** With an `Idempotency-Key`: the id of the new object. A repeated request brings the same. */
  effectId: string | undefined
  /** Of the page that calls, where it is an allowed one. */
  pageOrigin?: string | undefined
}

/** For verbs that read or write the connection themselves: streams, redirects, cookies, events. */
export interface Exchange extends Call {
  request: FastifyRequest
  reply: FastifyReply
  /** For a body that the verb reads itself: runs once for an `Idempotency-Key` and that body. */
  once: <Made>(read: unknown, run: () => Promise<Made>) => Promise<Made>
}
