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
  /** The credential that opened the stream; the stream ends with it. */
  credential: Credential
  /** The job to follow; null: the whole account. */
  jobId: string | null
  /** True if the credential has the scope for the balance. */
  hasBalance: boolean
}

export interface EventStream extends Watch {
  raw: ServerResponse
}
