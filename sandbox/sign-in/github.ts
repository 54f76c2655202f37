/** GitHub's side of a sign-in, with its habits: errors come with status 200, ids are numbers. */
import { answerJson, answerText, parseFields } from '../http.ts'
import type { Answer, Request, Route } from '../http.ts'
import { authorize, findToken, issueToken, redeemCode } from './grants.ts'
import type { SignIn, Token } from './grants.ts'
import { avatarUrl, githubId, githubLogin } from './people.ts'

const path = '/github/login/oauth/authorize'
const badCode = ['bad_verification_code', 'The code passed is incorrect or expired.'] as const
const refusals = {
  client: [
    'incorrect_client_credentials',
    'The client_id and/or client_secret passed are incorrect.',
  ],
  redirect_uri: [
    'redirect_uri_mismatch',
    'The redirect_uri MUST match the registered callback URL for this application.',
  ],
  code: badCode,
  verifier: badCode,
} as const

export function githubRoutes(signIn: SignIn): Route[] {
  const choose = (request: Request): Answer => authorize(signIn, 'github', request)
  return [
    ['GET', path, choose],
    ['POST', path, choose],
    ['POST', '/github/login/oauth/access_token', (request) => exchangeCode(signIn, request)],
    ['GET', '/github/api/user', (request) => withToken(signIn, request, describeUser)],
    ['GET', '/github/api/user/emails', (request) => withToken(signIn, request, listEmails)],
  ]
}

function exchangeCode(signIn: SignIn, request: Request): Answer {
  const fields = parseFields(request.body)
  const redeemed = redeemCode(signIn, 'github', {
    clientId: fields['client_id'] ?? '',
    clientSecret: fields['client_secret'] ?? '',
    fields,
  })
  if (redeemed.ok) {
    const scope = redeemed.grant.scope.split(/[ ,]+/).join(',')
    const accessToken = issueToken(signIn, redeemed.grant, { prefix: 'gho_', lifeMs: null })
    return answerAsAsked(request, { access_token: accessToken, scope, token_type: 'bearer' })
  }
  const [error, description] = refusals[redeemed.why]
  const anchor = error.replaceAll('_', '-')
  const uri = `https://docs.github.com/apps/oauth#${anchor}`
  return answerAsAsked(request, { error, error_description: description, error_uri: uri })
}

/** Form-encoded unless JSON is asked for. */
function answerAsAsked(request: Request, values: Record<string, string>): Answer {
  return (request.headers.accept ?? '').includes('application/json')
    ? answerJson(200, values)
    : answerText(200, new URLSearchParams(values).toString(), 'application/x-www-form-urlencoded')
}

function withToken(
  signIn: SignIn,
  request: Request,
  handle: (token: Token, signIn: SignIn) => Answer,
): Answer {
  // GitHub turns away callers that do not say who they are.
  if (request.headers['user-agent'] === undefined) {
    return answerText(403, 'Request forbidden by administrative rules. Set a User-Agent header.')
  }
  const token = findToken(signIn, 'github', request)
  if (token === undefined) return answerJson(401, { message: 'Bad credentials', status: '401' })
  return handle(token, signIn)
}

function describeUser({ person }: Token, signIn: SignIn): Answer {
  const login = githubLogin(person)
  return answerJson(200, {
    login,
    id: githubId(person),
    node_id: Buffer.from(`04:User${githubId(person)}`).toString('base64'),
    avatar_url: avatarUrl(signIn.publicUrl(), person),
    html_url: `https://github.com/${login}`,
    type: 'User',
    site_admin: false,
    name: person.name ?? null,
    company: null,
    blog: '',
    location: null,
    email: person.hidesEmail === true || !person.isVerified ? null : person.email,
    bio: null,
    created_at: '2019-03-02T10:00:00Z',
    updated_at: '2025-10-01T10:00:00Z',
  })
}

function listEmails({ person, scope }: Token): Answer {
  if (!/\buser(:email)?\b/.test(scope)) {
    return answerJson(404, { message: 'Not Found', status: '404' })
  }
  const privateAddress = `${githubId(person)}+${githubLogin(person)}@users.noreply.github.com`
  return answerJson(200, [
    {
      email: person.email,
      primary: true,
      verified: person.isVerified,
      visibility: person.hidesEmail === true ? 'private' : 'public',
    },
    { email: privateAddress, primary: false, verified: true, visibility: null },
  ])
}
