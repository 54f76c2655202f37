/**
 * A look at an address when it is added: does it answer, what does it send, how long is it? A small
 * file is fetched and measured exactly; of a large one the first bytes are read, which is enough
 * where the header stands in front. An address that is merely offline is no reason to refuse it.
 */
import { open, rm } from 'node:fs/promises'
import type { Media } from '../../contract/findings.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../refusal.ts'
import type { Address } from './address.ts'
import { fetchFailure, openUrl } from './fetch-url.ts'
import type { OpenedUrl } from './fetch-url.ts'
import { describeYoutube, isYoutubeSupported } from './fetch-youtube.ts'
import { lookAtFile } from './look.ts'
import { newWorkFile } from './work-files.ts'

export interface AddressLook {
  name: string
  state: 'ready' | 'unreachable' | 'not_media' | 'refused'
  message: string | null
  media: Media | null
  sizeBytes: number | null
  mimeType: string | null
}

const headBytes = 8 * 1024 ** 2
const lookMs = 12_000

export async function lookAtAddress(ctx: Context, address: Address): Promise<AddressLook> {
  const { name } = address
  const nothing = { name, media: null, sizeBytes: null, mimeType: null }
  if (address.kind === 'youtube') return { ...nothing, ...(await lookAtYoutube(ctx, address)) }
  const path = await newWorkFile(ctx.config)
  try {
    const opened = await openUrl(ctx.config, address.url, {
      signal: AbortSignal.timeout(lookMs),
      maxBytes: ctx.config.limits.maxUploadBytes,
      firstBytes: headBytes,
    })
    try {
      const readBytes = await writeHead(opened, path)
      const told = { ...nothing, name: opened.fileName ?? name, mimeType: opened.mimeType }
      const sizeBytes = opened.sizeBytes ?? (readBytes < headBytes ? readBytes : null)
      const isWhole = sizeBytes === readBytes
      return { ...told, sizeBytes, ...(await lookAtHead(ctx, path, isWhole, opened.mimeType)) }
    } finally {
      await opened.close()
    }
  } catch (error) {
    const refusal = error instanceof Refusal ? error : null
    const isTold = refusal?.code === 'too_large' || refusal?.code === 'too_long'
    if (isTold) return { ...nothing, state: 'refused', message: refusal.message }
    return { ...nothing, state: 'unreachable', message: fetchFailure }
  } finally {
    await rm(path, { force: true })
  }
}

async function lookAtHead(
  ctx: Context,
  path: string,
  isWhole: boolean,
  mimeType: string | null,
): Promise<Pick<AddressLook, 'state' | 'message' | 'media'>> {
  // Without the rest of the packets only the header's word counts, so none are read.
  const look = await lookAtFile(ctx, path, isWhole ? {} : { scanMs: 0 })
  const { media, state, message } = look
  if (mimeType === 'text/html' && media?.kind === 'document') {
    const page = 'This address is a web page, not a file. Please enter the address of the file.'
    return { media: null, state: 'not_media', message: page }
  }
  if (isWhole) return { media, state, message }
  const isHeaderEnough = /(?:^|,)(?:mov|matroska)(?:,|$)/.test(media?.container ?? '')
  if (media && isHeaderEnough && media.duration > 0) return { media, state, message }
  // A file whose index stands at its end tells nothing yet; the job measures it.
  return { media: null, state: 'ready', message: null }
}

async function lookAtYoutube(
  ctx: Context,
  address: Address,
): Promise<Pick<AddressLook, 'name' | 'state' | 'message'>> {
  const { name } = address
  if (!isYoutubeSupported(ctx.config)) {
    const message = 'YouTube addresses cannot be analysed here: yt-dlp is not installed.'
    return { name, state: 'refused', message }
  }
  const told = await describeYoutube(ctx, address.url)
  if (!told) return { name, state: 'unreachable', message: fetchFailure }
  return { name: told.title ?? name, state: 'ready', message: null }
}

async function writeHead(opened: OpenedUrl, path: string): Promise<number> {
  const file = await open(path, 'wx')
  let bytes = 0
  try {
    for await (const chunk of opened.body as AsyncIterable<Buffer>) {
      const wanted = chunk.subarray(0, headBytes - bytes)
      await file.write(wanted)
      bytes += wanted.length
      if (bytes >= headBytes) break
    }
  } finally {
    await file.close()
  }
  if (bytes === 0) throw new Refusal('fetch_failed', fetchFailure)
  return bytes
}
