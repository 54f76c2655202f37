/** How an endpoint of the contract and the function that answers it fit together. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Api } from '../../contract/api.ts'
import type { Input, Reply } from '../../contract/endpoint.ts'
import type { AnyoneActor, KeyActor, Member, SessionActor } from '../actor.ts'
import type { Context } from '../process/context.ts'

type ActorOf<Auth> = Auth extends 'anyone'
  ? AnyoneActor
  : Auth extends 'session'
    ? SessionActor
    : Auth extends 'key'
      ? SessionActor | KeyActor
      : Member

/** For verbs that read or write the connection themselves: streams, redirects, events. */
export interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
  /** With an `Idempotency-Key`: the id of what is made. A request sent again brings the same. */
  effectId: string | undefined
  /** For a body that the verb reads itself: runs once for an `Idempotency-Key` and what it read. */
  once: <Made>(read: unknown, run: () => Promise<Made>) => Promise<Made>
}

export type Verb<E extends { auth: string }> = (
  ctx: Context,
  actor: ActorOf<E['auth']>,
  input: Input<E>,
  exchange: Exchange,
) => Promise<Reply<E>>

export type Verbs = { [K in keyof Api]: Verb<Api[K]> }
