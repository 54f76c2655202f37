/**
 * Read-only links to a cut or to the review of a clip. Whoever has the link plays it and leaves
 * comments, without an account. It shows nothing of the account but the sender's name, and no id in
 * it opens anything else: sources are named s1, s2 … and ranges r1, r2 …
 */
import * as z from 'zod'
import { CutSource, SourcePictures } from './cuts.ts'
import { CutRange, CutTranscript } from '../../domain/cuts/cut.ts'
import { defineEndpoints } from '../define-endpoints.ts'
import { fileMediaTypes } from '../media-types.ts'
import { Done, Timestamp } from '../fields.ts'
import { Id } from '../../domain/fields.ts'

export const shareLimits = {
  shares: 500,
  comments: 2000,
  maxDays: 365,
  standardDays: 14,
  editMinutes: 10,
}

export const ShareProxyState = z
  .object({
    state: z.enum(['waiting', 'making', 'ready', 'failed']),
    progress: z.number().min(0).max(1),
    seconds_left: z.int().nullable().meta({ description: 'Estimated while it is being made.' }),
    bytes: z.number().nullable().meta({ description: 'Estimated while it is being made.' }),
    message: z.string().nullable().meta({ description: 'The next step where it failed.' }),
  })
  .meta({
    id: 'ShareProxyState',
    description: 'The one copy that a link plays, which holds nothing but the played ranges.',
  })
export type ShareProxyState = z.infer<typeof ShareProxyState>

export const Share = z
  .object({
    id: Id,
    kind: z.enum(['cut', 'review']),
    cut_id: Id.nullable(),
    job_id: Id.nullable(),
    name: z.string().meta({ description: 'Of the cut or the clip.' }),
    has_password: z.boolean(),
    expires_at: Timestamp,
    revoked_at: Timestamp.nullable(),
    created_at: Timestamp,
    comment_count: z.int(),
    proxy: ShareProxyState.nullable().meta({ description: 'Null once the link has ended.' }),
  })
  .meta({ id: 'Share' })
export type Share = z.infer<typeof Share>

const frame = z.int().min(0).max(1e9)
const Name = z.string().trim().min(1, 'Please enter your name').max(80)
const Text = z.string().trim().min(1, 'Please write something').max(4000)

export const Comment = z
  .object({
    id: Id,
    name: z.string(),
    text: z.string().meta({ description: 'Plain text; never HTML.' }),
    at: frame.meta({ description: 'Frame of the cut, from its first.' }),
    out: frame.nullable().meta({ description: 'The frame after its last, where it is a range.' }),
    version: z.int().meta({ description: 'Of the cut that was commented on.' }),
    now_at: frame.nullable().meta({
      description: 'Its frame in the newest version; null where that no longer shows it.',
    }),
    is_editor: z.boolean(),
    reply_to: Id.nullable(),
    done: z.boolean(),
    created_at: Timestamp,
    edited_at: Timestamp.nullable(),
  })
  .meta({ id: 'Comment' })
export type Comment = z.infer<typeof Comment>

/** The same shapes as in a cut, so that the same functions lay it out and read it. */
const SharedRange = CutRange.extend({ id: z.string(), content_id: z.string() })
const SharedSource = CutSource.omit({ job_id: true, pictures: true }).extend({
  content_id: z.string(),
})
const SharedTranscript = CutTranscript.extend({ content_id: z.string() })

export const SharedProxy = ShareProxyState.extend(SourcePictures.shape).meta({
  id: 'SharedProxy',
  description: 'Its frames are those of the cut, from the first.',
})
export type SharedProxy = z.infer<typeof SharedProxy>

export const SharedView = z
  .object({
    kind: z.enum(['cut', 'review']),
    name: z.string(),
    project_name: z.string().nullable(),
    shared_by: z.string(),
    expires_at: Timestamp,
    version: z.int(),
    frame_rate: z.string(),
    drop_frame: z.boolean(),
    start_timecode: z.string(),
    ranges: z.array(SharedRange).meta({ description: 'Only what plays: one for each event.' }),
    sources: z.array(SharedSource),
    proxy: SharedProxy,
    transcripts: z.array(SharedTranscript),
  })
  .meta({ id: 'SharedView' })
export type SharedView = z.infer<typeof SharedView>

const token = z.string().regex(/^[\w-]{43}$/)
const tokenParams = z.object({ token })
const pass = z.string().max(200).optional().meta({ description: 'What /open answered.' })
const passQuery = z.strictObject({ pass })
const closed = ['not_found', 'gone', 'forbidden'] as const
const CommentReply = z.object({ comment: Comment })

export const shareEndpoints = defineEndpoints('Cuts', 'key', {
  createShare: {
    method: 'POST',
    path: '/shares',
    summary: 'Make a read-only link to a cut or to a clip’s review',
    description:
      'Give one of `cut_id` and `job_id`. What it plays is rendered then, which `proxy` reports. The link is answered once; only its hash is kept. It shows findings, so an API key needs the scope `jobs:read` too.',
    scope: 'content:write',
    body: z.strictObject({
      cut_id: Id.optional(),
      job_id: Id.optional(),
      expires_at: Timestamp.optional().meta({
        description: `At most ${shareLimits.maxDays} days ahead; else in ${shareLimits.standardDays} days.`,
      }),
      password: z.string().min(8, 'Please use at least 8 characters').max(200).optional(),
    }),
    reply: z.object({ share: Share, token: z.string(), url: z.string() }),
    creates: true,
    status: 201,
    refusals: ['not_found', 'limit_reached'],
    example: { body: { cut_id: '3f9c2a1b-6d0e-4b57-9a4e-0c7f5d1e2a34' } },
  },
  listShares: {
    method: 'GET',
    path: '/shares',
    summary: 'Links, newest first',
    scope: 'content:read',
    query: z.strictObject({ cut_id: Id.optional(), job_id: Id.optional() }),
    reply: z.object({ shares: z.array(Share) }),
  },
  revokeShare: {
    method: 'POST',
    path: '/shares/{id}/revoke',
    summary: 'Revoke a link at once',
    scope: 'content:write',
    reply: z.object({ share: Share }),
  },
  listComments: {
    method: 'GET',
    path: '/comments',
    summary: 'Comments on all links of a cut or a review, in order of time',
    scope: 'content:read',
    query: z.strictObject({ cut_id: Id.optional(), job_id: Id.optional() }),
    reply: z.object({ comments: z.array(Comment) }),
  },
  replyToComment: {
    method: 'POST',
    path: '/comments/{id}/reply',
    summary: 'Answer a comment as the editor',
    scope: 'content:write',
    body: z.strictObject({ text: Text }),
    reply: CommentReply,
    creates: true,
    status: 201,
    refusals: ['limit_reached'],
    example: { body: { text: 'The pause is back in version 18.' } },
  },
  updateComment: {
    method: 'PATCH',
    path: '/comments/{id}',
    summary: 'Mark a comment as done, or as open again',
    scope: 'content:write',
    body: z.strictObject({ done: z.boolean() }),
    reply: CommentReply,
    example: { body: { done: true } },
  },
  deleteComment: {
    method: 'DELETE',
    path: '/comments/{id}',
    summary: 'Delete a comment with its answers',
    scope: 'content:write',
    reply: Done,
  },
  openShare: {
    method: 'POST',
    path: '/shares/{token}/open',
    summary: 'Open a link that asks for a password',
    description: 'The answered `pass` is sent with the other calls for the next 12 hours.',
    auth: 'anyone',
    params: tokenParams,
    body: z.strictObject({ password: z.string().max(200) }),
    reply: z.object({ pass: z.string(), expires_at: Timestamp }),
    refusals: [...closed, 'rate_limited'],
  },
  getShared: {
    method: 'GET',
    path: '/shares/{token}',
    summary: 'What a link shows',
    auth: 'anyone',
    params: tokenParams,
    query: passQuery,
    reply: z.object({ shared: SharedView }),
    refusals: closed,
  },
  getSharedFile: {
    method: 'GET',
    path: '/shares/{token}/media/{proxy}/{name}',
    summary: 'The proxy, poster, sprite or waveform of what a link shows',
    description: 'Rendered from the played ranges alone. Byte ranges are honoured.',
    auth: 'anyone',
    params: tokenParams.extend({
      proxy: Id,
      name: z.string().regex(/^[\w][\w.-]{0,99}$/),
    }),
    query: passQuery,
    rawReply: { contentType: Object.values(fileMediaTypes), description: 'The bytes of the file.' },
    refusals: [...closed, 'range_not_satisfiable'],
  },
  listSharedComments: {
    method: 'GET',
    path: '/shares/{token}/comments',
    summary: 'Comments on what a link shows, in order of time',
    auth: 'anyone',
    params: tokenParams,
    query: passQuery,
    reply: z.object({ comments: z.array(Comment) }),
    refusals: closed,
  },
  addSharedComment: {
    method: 'POST',
    path: '/shares/{token}/comments',
    summary: 'Leave a comment, without an account',
    description:
      'With its `device_secret` a comment can be changed for 10 minutes. Make one and send it, and the same comment sent again after a lost answer is written once.',
    auth: 'anyone',
    params: tokenParams,
    query: passQuery,
    body: z.strictObject({
      name: Name,
      text: Text,
      at: frame,
      out: frame.nullable().optional(),
      version: z.int().min(1).max(1e9),
      reply_to: Id.optional(),
      device_secret: z
        .string()
        .regex(/^[\w-]{43}$/)
        .optional()
        .meta({ description: '256 random bits as base64url; made by the server where missing.' }),
    }),
    reply: CommentReply.extend({ device_secret: z.string() }),
    status: 201,
    refusals: [...closed, 'duplicate', 'limit_reached', 'rate_limited'],
  },
  editSharedComment: {
    method: 'PATCH',
    path: '/shares/{token}/comments/{comment_id}',
    summary: 'Change one’s own comment within 10 minutes',
    auth: 'anyone',
    params: tokenParams.extend({ comment_id: Id }),
    query: passQuery,
    body: z.strictObject({ text: Text, device_secret: z.string().max(100) }),
    reply: CommentReply,
    refusals: [...closed, 'conflict', 'rate_limited'],
  },
})
