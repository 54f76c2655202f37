/** Serves what a client needs to find the OAuth endpoints: RFC 8414 and RFC 9728. */
import type { FastifyInstance } from 'fastify'
import { addressOf, scopes } from '../../contract/endpoint.ts'
import { oauthEndpoints } from '../../contract/account/oauth.ts'
import type { Context } from '../ground/context.ts'

export function registerOauthMetadata(app: FastifyInstance, ctx: Context): void {
  const { publicUrl } = ctx.config
  const resource = {
    resource: `${publicUrl}/mcp`,
    authorization_servers: [publicUrl],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_name: 'CutIndex',
    resource_documentation: `${publicUrl}/docs/developer`,
  }
  const server = {
    issuer: publicUrl,
    authorization_endpoint: `${publicUrl}/oauth/authorize`,
    token_endpoint: addressOf(publicUrl, oauthEndpoints.exchangeOauthCode),
    registration_endpoint: addressOf(publicUrl, oauthEndpoints.registerOauthClient),
    scopes_supported: scopes,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code'],
    token_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }
  app.get('/.well-known/oauth-protected-resource', () => resource)
  app.get('/.well-known/oauth-protected-resource/mcp', () => resource)
  app.get('/.well-known/oauth-authorization-server', () => server)
}
