/**
 * `POST /mcp`: the agents' tools over Streamable HTTP. Nothing is kept between calls: each request
 * has a server of its own, whose client calls this very app with the caller's key and address, so
 * that scopes, limits, rates and idempotency are those of every other call.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, InjectOptions } from 'fastify'
import { CutIndex } from '../../client/cutindex.ts'
import { api } from '../../contract/api.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Admit } from '../http/route.ts'
import type { Context } from '../ground/context.ts'
import { Refusal } from '../ground/refusal.ts'

/** Batches went out of the protocol; each message of one costs as much as a call. */
const maxMessages = 10

export function registerMcp(app: FastifyInstance, ctx: Context, admit: Admit): void {
  const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    refuseForeignOrigin(ctx, request)
    try {
      const endpoint: Endpoint = api.getCurrentApiKey
      await admit(endpoint, request)
    } catch (error) {
      if (error instanceof Refusal && error.code === 'unauthenticated') challenge(ctx, reply)
      throw error
    }
  }
  app.post('/mcp', { onRequest }, async (request, reply) => {
    if (Array.isArray(request.body) && request.body.length > maxMessages) {
      throw new Refusal('invalid', `Please send at most ${maxMessages} messages at once.`)
    }
    // Loaded on first use: both cost a tenth of the start.
    const [{ createAgentServer }, { WebStandardStreamableHTTPServerTransport }] = await Promise.all(
      [
        import('../../client/agent/tools.ts'),
        import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
      ],
    )
    const server = createAgentServer(clientOf(app, ctx, request), ctx.config.version)
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    try {
      await server.connect(transport)
      const headers = new Headers()
      for (const name of ['accept', 'content-type', 'mcp-protocol-version']) {
        const value = request.headers[name]
        if (typeof value === 'string') headers.set(name, value)
      }
      const address = `${ctx.config.publicUrl}/mcp`
      const asked = new Request(address, { method: 'POST', headers, body: '{}' })
      const answer = await transport.handleRequest(asked, { parsedBody: request.body ?? null })
      const text = await answer.text()
      const type = answer.headers.get('content-type') ?? 'application/json'
      return await reply.status(answer.status).type(type).send(text)
    } finally {
      await server.close()
    }
  })
  app.route({
    method: ['GET', 'DELETE'],
    url: '/mcp',
    handler: (request) => {
      refuseForeignOrigin(ctx, request)
      throw new Refusal('method_not_allowed', 'Send MCP messages to this address with POST.')
    },
  })
}

/** Required by the protocol: a page led here by DNS rebinding sends its own origin. */
function refuseForeignOrigin({ config }: Context, { headers: { origin } }: FastifyRequest): void {
  if (origin === undefined || config.allowedOrigins.has(origin)) return
  throw new Refusal('forbidden', 'Pages of other sites may not call this address.')
}

/** Says in the response where a client learns how to get a token (RFC 9728). */
function challenge(ctx: Context, reply: FastifyReply): void {
  const metadata = `${ctx.config.publicUrl}/.well-known/oauth-protected-resource/mcp`
  reply.header('www-authenticate', `Bearer resource_metadata="${metadata}"`)
}

function clientOf(app: FastifyInstance, ctx: Context, request: FastifyRequest): CutIndex {
  const apiKey = (request.headers.authorization ?? '').replace(/^Bearer /i, '')
  const inside: typeof fetch = async (address, init = {}) => {
    const url = new URL(address instanceof Request ? address.url : address)
    const answer = await app.inject({
      method: (init.method ?? 'GET') as InjectOptions['method'],
      url: url.pathname + url.search,
      headers: init.headers as Record<string, string>,
      payload: init.body as string | undefined,
      remoteAddress: request.ip,
    })
    const headers = new Headers()
    for (const [name, value] of Object.entries(answer.headers)) headers.set(name, String(value))
    const hasBody = ![204, 304].includes(answer.statusCode)
    const body = hasBody ? new Uint8Array(answer.rawPayload) : null
    return new Response(body, { status: answer.statusCode, headers })
  }
  return new CutIndex({ apiKey, baseUrl: ctx.config.publicUrl, fetch: inside, maxRetries: 1 })
}
