/**
 * Opens a library item or an address for an analysis: `openContent` finds it, `localFile` brings
 * its bytes to this machine. Opening costs no download, so a quote may open too.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Media } from '../../domain/findings/findings.ts'
import type { Context } from '../ground/context.ts'
import { notFound, Refusal } from '../ground/refusal.ts'
import { fetchToFile } from './fetch-url.ts'
import { fetchYoutubeToFile, isYoutubeSupported, youtubeRefusal } from './fetch-youtube.ts'
import { normaliseAddress } from './address.ts'
import type { Address } from './address.ts'
import { peekAtAddress } from './look-at-address.ts'
import type { Peek } from './look-at-address.ts'

export interface OpenedContent {
  /** Null: an address that is not in the library. */
  contentId: string | null
  kind: 'upload' | 'youtube' | 'url'
  name: string
  /** The item's `canonical_url`, or the normalised address. */
  contentUrl: string
  /** Known at once for uploads; for an address only where the look at it sufficed. */
  media: Media | null
  /** Hex; null for an address, whose bytes may change: `localFile` tells. */
  sha256: string | null
  sizeBytes: number | null
  /** Both ends of an address, without the rest; null where there is nothing to peek at. */
  peek(): Promise<Peek | null>
  /** `maxBytes`: less than any upload may have, for an address. */
  localFile(options?: { signal?: AbortSignal; maxBytes?: number }): Promise<OpenedFile>
}

export interface OpenedFile {
  path: string
  sha256: string
  sizeBytes: number
  /** Call when the file is no longer read. */
  release(): Promise<void>
}

/** Refuses with `not_found`, `invalid` or `unsupported_source` before anything is paid for. */
export async function openContent(
  ctx: Context,
  accountId: string,
  wanted: { contentId?: string | undefined; contentUrl?: string | undefined },
): Promise<OpenedContent> {
  if (wanted.contentId !== undefined) {
    const row = await findRow(ctx, accountId, { id: wanted.contentId })
    if (!row) throw notFound('The content')
    return openRow(ctx, row)
  }
  if (wanted.contentUrl === undefined) throw new Refusal('invalid', 'Please enter a content URL')
  const ownId = uploadIdOf(ctx, wanted.contentUrl)
  if (ownId) return openContent(ctx, accountId, { contentId: ownId })
  const address = normaliseAddress(ctx.config, wanted.contentUrl)
  const row = await findRow(ctx, accountId, { canonicalUrl: address.url })
  return row ? openRow(ctx, row) : openAddress(ctx, accountId, address)
}

const touchStepMs = 3_600_000

/** Call when a job or a download uses the item: its 90 days start again. Written once an hour. */
export async function touchContent(ctx: Context, contentId: string): Promise<void> {
  const now = ctx.now()
  await ctx.db
    .updateTable('content')
    .set({ last_used_at: now })
    .where('id', '=', contentId)
    .where('last_used_at', '<', new Date(now.getTime() - touchStepMs))
    .execute()
}

/** The address of an upload in this service. */
export function uploadUrl(ctx: Context, contentId: string): string {
  return `${ctx.config.publicUrl}/v1/content/${contentId}/download`
}

/** The id in such an address, whether or not there is such an item. */
export function uploadIdOf(ctx: Context, url: string): string | null {
  const base = `${ctx.config.publicUrl}/v1/content/`
  if (!url.startsWith(base)) return null
  return /^([0-9a-f-]{36})\/download(?:\?|#|$)/.exec(url.slice(base.length))?.[1] ?? null
}

type Row = NonNullable<Awaited<ReturnType<typeof findRow>>>

async function findRow(
  ctx: Context,
  accountId: string,
  by: { id: string } | { canonicalUrl: string },
) {
  const rows = ctx.db.selectFrom('content').selectAll().where('account_id', '=', accountId)
  return 'id' in by
    ? rows.where('id', '=', by.id).executeTakeFirst()
    : rows.where('canonical_url', '=', by.canonicalUrl).executeTakeFirst()
}

function openRow(ctx: Context, row: Row): OpenedContent {
  const { storage_key: storageKey, sha256, file_size: sizeBytes } = row
  const known = { contentId: row.id, name: row.file_name, media: row.media }
  if (storageKey !== null && sha256 !== null && sizeBytes !== null) {
    const hash = sha256.toString('hex')
    return {
      ...known,
      kind: 'upload',
      contentUrl: row.canonical_url,
      sha256: hash,
      sizeBytes,
      peek: () => Promise.resolve(null),
      async localFile(options) {
        const file = await ctx.storage.localFile(storageKey, options)
        return { ...file, sha256: hash, sizeBytes }
      },
    }
  }
  const opened = openAddress(ctx, row.account_id, normaliseAddress(ctx.config, row.canonical_url))
  return {
    ...opened,
    ...known,
    sizeBytes,
    async localFile(options) {
      const file = await opened.localFile(options)
      // It answered now, so it is ready, whatever the look at the time of adding found.
      await ctx.db
        .updateTable('content')
        .set({ check_state: 'ready', check_message: null, file_size: file.sizeBytes })
        .where('id', '=', row.id)
        .where('check_state', '=', 'unreachable')
        .execute()
      return file
    },
  }
}

function openAddress(ctx: Context, accountId: string, address: Address): OpenedContent {
  const isYoutube = address.kind === 'youtube'
  if (isYoutube && !isYoutubeSupported(ctx.config)) {
    throw new Refusal('unsupported_source', youtubeRefusal)
  }
  return {
    contentId: null,
    kind: address.kind,
    name: address.name,
    contentUrl: address.url,
    media: null,
    sha256: null,
    sizeBytes: null,
    peek: () => (isYoutube ? Promise.resolve(null) : peekAtAddress(ctx, accountId, address.url)),
    async localFile(options = {}) {
      const limits = { maxBytes: ctx.config.limits.maxUploadBytes, ...options }
      const file = isYoutube
        ? await fetchYoutubeToFile(ctx, address.url, limits)
        : await fetchToFile(ctx, address.url, limits)
      try {
        return { ...file, sha256: await hashFile(file.path) }
      } catch (error) {
        await file.release()
        throw error
      }
    },
  }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 1024 ** 2 }), hash)
  return hash.digest('hex')
}
