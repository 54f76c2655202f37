import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { Credential } from './actor.ts'

/** The open event streams of this process. */
export interface EventStreams {
  open(watch: Watch, reply: FastifyReply): Promise<EventStream>
  /** Ends every stream; the server cannot close while they are open. */
  close(): Promise<void>
}

export interface Watch {
  accountId: string
  /** The stream ends with what opened it. */
  credential: Credential
  /** Null: the whole account. */
  jobId: string | null
  /** The balance needs a scope of its own. */
  hasBalance: boolean
}

export interface EventStream extends Watch {
  raw: ServerResponse
}
