import * as z from 'zod'
import { defineEndpoints } from '../define-endpoints.ts'
import { Done, Timestamp, Usd } from '../fields.ts'
import { Id } from '../../domain/fields.ts'
import { MailChoices } from './mail.ts'

export const providers = ['github', 'google'] as const
export const Provider = z.enum(providers)
export type Provider = z.infer<typeof Provider>

export const Balance = z
  .object({
    available_usd: Usd.meta({ description: 'Credit to spend now: posted minus held.' }),
    held_usd: Usd.meta({ description: 'Reserved by jobs that have not ended.' }),
    free_usd: Usd,
    bonus_usd: Usd,
    paid_usd: Usd,
    free_expires_at: Timestamp.nullable(),
  })
  .meta({ id: 'Balance' })

export const User = z
  .object({
    id: Id,
    email: z.string(),
    username: z.string(),
    name: z.string().nullable(),
    picture: z.string().nullable(),
    createdAt: Timestamp,
    account_balance_usd: Usd,
    auto_reload_enabled: z.boolean(),
    auto_reload_threshold_usd: Usd.nullable(),
    auto_reload_amount_usd: Usd.nullable(),
    auto_reload_consent_accepted_at: Timestamp.nullable(),
    auto_reload_package_id: z.string().nullable(),
    auto_reload_off_reason: z
      .string()
      .nullable()
      .meta({ description: 'Why auto-reload was switched off by the service, if it was.' }),
    balance: Balance,
    free_credit_withheld: z
      .enum(['unverified', 'identity_used'])
      .nullable()
      .meta({ description: 'Why this month’s free credit was not given, if it was not.' }),
  })
  .meta({ id: 'User' })
export type User = z.infer<typeof User>

export const Session = z
  .object({
    id: Id,
    provider: z.string(),
    created_at: Timestamp,
    last_used_at: Timestamp,
    expires_at: Timestamp,
    user_agent: z.string().nullable(),
    address: z.string().nullable(),
    current: z.boolean(),
  })
  .meta({ id: 'Session' })
export type Session = z.infer<typeof Session>

export const Preferences = z
  .object({
    media_folder: z.string().trim().max(1000).nullable().optional().meta({
      description:
        'Where the media is on the editor’s computer: a folder that every export points to. Null: it varies. Absent: never asked.',
      example: '/Volumes/Media/',
    }),
    library_filters: z
      .array(
        z.strictObject({
          name: z.string().trim().min(1).max(80),
          filter: z.string().max(1000).meta({ description: 'The query of the library’s address.' }),
        }),
      )
      .max(50)
      .optional()
      .meta({ description: 'Filters of the library that were saved by name.' }),
    mail: MailChoices.partial().strict().optional().meta({
      description: 'Which kinds of e-mail are sent. Kinds that are left out stay as they are.',
    }),
  })
  .meta({ id: 'Preferences' })
export type Preferences = z.infer<typeof Preferences>

const Token = z.string().meta({ description: 'An opaque bearer token.' })

export const accountEndpoints = defineEndpoints('Accounts', 'session', {
  signIn: {
    method: 'GET',
    path: '/auth/{provider}',
    summary: 'Start signing in with GitHub or Google',
    description:
      'Opened by the browser. Redirects to the provider and, afterwards, back to `frontend_url` with `token`, `provider` and `email`.',
    auth: 'anyone',
    params: z.object({ provider: Provider }),
    query: z.strictObject({ frontend_url: z.string().max(2000) }),
    rawReply: { contentType: 'text/html', description: 'A redirect to the provider.' },
    status: 302,
    refusals: ['unavailable'],
  },
  signInCallback: {
    method: 'GET',
    path: '/auth/{provider}/callback',
    summary: 'Where the provider sends the browser back to',
    auth: 'anyone',
    params: z.object({ provider: Provider }),
    query: z.looseObject({
      state: z.string().max(200).optional(),
      error: z.string().max(200).optional(),
    }),
    rawReply: { contentType: 'text/html', description: 'A redirect to the page that asked.' },
    status: 302,
    refusals: ['unavailable'],
  },
  exchangeToken: {
    method: 'POST',
    path: '/auth/session',
    summary: "Exchange the redirect's token for a session",
    record: 'Signed in',
    description:
      'The token of the redirect lives for 5 minutes and is dead after the exchange. Besides this call it allows `GET /user/me` alone.',
    redirectToken: true,
    cookies: true,
    reply: z.object({
      token: Token,
      expires_at: Timestamp,
      begun_here: z.boolean().meta({
        description:
          'Whether the browser that calls began the sign-in. Where not, a page must not replace a session that it holds.',
      }),
    }),
    status: 201,
    refusals: ['conflict'],
  },
  logout: {
    method: 'POST',
    path: '/auth/logout',
    summary: 'End the session that calls',
    reply: Done,
  },
  getMe: {
    method: 'GET',
    path: '/user/me',
    summary: 'The signed-in user with the balance',
    auth: 'key',
    scope: 'billing:read',
    redirectToken: true,
    reply: User,
  },
  getPreferences: {
    method: 'GET',
    path: '/user/preferences',
    summary: 'What the account has set for all of its work',
    reply: z.object({ preferences: Preferences }),
  },
  savePreferences: {
    method: 'PUT',
    path: '/user/preferences',
    summary: 'Change preferences',
    description: 'Fields that are left out stay as they are.',
    body: z.strictObject(Preferences.shape),
    reply: z.object({ preferences: Preferences }),
    example: { body: { media_folder: '/Volumes/Media/' } },
  },
  listSessions: {
    method: 'GET',
    path: '/user/sessions',
    summary: 'Where the account is signed in',
    reply: z.object({ sessions: z.array(Session) }),
  },
  endSession: {
    method: 'DELETE',
    path: '/user/sessions/{id}',
    summary: 'End one session',
    reply: Done,
  },
})
