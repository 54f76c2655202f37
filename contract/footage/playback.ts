import * as z from 'zod'
import { defineEndpoints } from '../define-endpoints.ts'
import { Timestamp } from '../fields.ts'
import { Id } from '../../domain/fields.ts'
import { Fraction } from '../../domain/findings/findings.ts'

export const Playback = z
  .object({
    kind: z.enum(['original', 'proxy', 'making', 'refused']).meta({
      description:
        '`original`: browsers play the file itself. `proxy`: a smaller copy with the same frames. `making`: the copy plays while it is made.',
    }),
    url: z.string().nullable(),
    format: z.enum(['file', 'list']).meta({
      description: '`list`: `url` is a list of fragments (HLS, fMP4) that grows until it ends.',
    }),
    expires_at: Timestamp.nullable(),
    seconds: z.number().meta({ description: 'Of the media.' }),
    frames: z.int().nullable().meta({ description: 'Of a proxy that is complete.' }),
    frame_rate: Fraction.nullable(),
    progress: z.number().min(0).max(1),
    starts_in_seconds: z.int().nullable().meta({
      description: 'About how long until the first frame can be shown; null when it can.',
    }),
    message: z.string().nullable().meta({ description: 'Why nothing plays.' }),
  })
  .meta({ id: 'Playback' })
export type Playback = z.infer<typeof Playback>

const ticketQuery = z.strictObject({ ticket: z.string().max(500).optional() })

export const playbackEndpoints = defineEndpoints('Content', 'ticket', {
  createPlayback: {
    method: 'POST',
    path: '/content/{id}/playback',
    summary: 'An address that plays an item, valid for four hours',
    description:
      'A file that browsers cannot play gets a free copy, which begins to play while it is made; how much of that is made in a day is limited. Ask again while it is being made.',
    auth: 'key',
    scope: 'content:read',
    changesNothing: true,
    body: z.strictObject({
      original_failed: z.boolean().default(false).meta({
        description: 'This browser tried the file itself and could not play it.',
      }),
    }),
    reply: z.object({ playback: Playback }),
    example: { body: { original_failed: false } },
  },
  getPlaybackList: {
    method: 'GET',
    path: '/content/{id}/playback.m3u8',
    summary: 'The fragments of a copy that are there so far',
    scope: 'content:read',
    ticket: 'play',
    query: ticketQuery,
    rawReply: { contentType: 'application/vnd.apple.mpegurl', description: 'An HLS playlist.' },
  },
  getPlaybackFragment: {
    method: 'GET',
    path: '/content/{id}/playback/{position}',
    summary: 'A fragment of a copy',
    description: '0 is the header that stands before all others.',
    scope: 'content:read',
    ticket: 'play',
    params: z.object({ id: Id, position: z.coerce.number().int().min(0).max(1_000_000) }),
    query: ticketQuery,
    rawReply: { contentType: 'video/mp4', description: 'Fragmented MP4.' },
    refusals: ['range_not_satisfiable'],
  },
})
