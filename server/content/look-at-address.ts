/**
 * A look at an address without fetching it: does it answer, what does it send, how long is it? A
 * small file is fetched and measured exactly. Of a large one both ends are read, into a file with
 * a hole between them: headers stand in front, indexes and last timestamps at the end, and most
 * containers tell their length from these. An address that is merely offline is no reason to refuse
 * it for the library.
 */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, readFile, rm } from 'node:fs/promises'
import type { Media } from '../../domain/findings/findings.ts'
import type { Context } from '../ground/context.ts'
import { Refusal } from '../ground/refusal.ts'
import type { Address } from './address.ts'
import { fetchFailure, openUrl } from './fetch-url.ts'
import type { OpenedUrl } from './fetch-url.ts'
import { describeYoutube, isYoutubeSupported, youtubeRefusal } from './fetch-youtube.ts'
import { lookAtFile } from './look.ts'
import { newWorkFile } from '../storage/scratch.ts'

export interface AddressLook {
  name: string
  state: 'ready' | 'unreachable' | 'not_media' | 'refused'
  message: string | null
  media: Media | null
  sizeBytes: number | null
  mimeType: string | null
}

const headBytes = 8 * 1024 ** 2
const tailBytes = 16 * 1024 ** 2
const lookMs = 12_000

export async function lookAtAddress(
  ctx: Context,
  accountId: string,
  address: Address,
): Promise<AddressLook> {
  const { name } = address
  const nothing = { name, media: null, sizeBytes: null, mimeType: null }
  if (address.kind === 'youtube') return { ...nothing, ...(await lookAtYoutube(ctx, address)) }
  try {
    const seen = await peekAtAddress(ctx, accountId, address.url)
    const { fileName, sha256: _, ...description } = seen
    return { ...description, name: fileName ?? name }
  } catch (error) {
    const refusal = error instanceof Refusal ? error : null
    const isTold = refusal?.code === 'too_large' || refusal?.code === 'too_long'
    if (isTold) return { ...nothing, state: 'refused', message: refusal.message }
    return { ...nothing, state: 'unreachable', message: fetchFailure }
  }
}

export interface Peek extends Omit<AddressLook, 'name'> {
  fileName: string | null
  /** Hex; known where the whole file was read. */
  sha256: string | null
}

/** `media` is null where only the whole file would tell. Refuses what cannot be fetched. */
export async function peekAtAddress(ctx: Context, accountId: string, url: string): Promise<Peek> {
  const path = await newWorkFile(ctx.config)
  const signal = AbortSignal.timeout(lookMs)
  const limits = { signal, maxBytes: ctx.config.limits.maxUploadBytes }
  try {
    const head = await readPart(ctx, url, path, { ...limits, first: 0, bytes: headBytes })
    const { fileName, mimeType } = head
    const sizeBytes = head.sizeBytes ?? (head.readBytes < headBytes ? head.readBytes : null)
    const isWhole = sizeBytes === head.readBytes
    const hasTail = !isWhole && sizeBytes !== null && (await addTail(ctx, url, path, sizeBytes))
    const look = await lookAtEnds(ctx, path, { accountId, isWhole, hasTail, mimeType })
    const sha256 = isWhole ? await hashOf(path) : null
    return { fileName, mimeType, sizeBytes, sha256, ...look }
  } finally {
    await rm(path, { force: true })
  }
}

async function addTail(
  ctx: Context,
  url: string,
  path: string,
  sizeBytes: number,
): Promise<boolean> {
  const first = Math.max(headBytes, sizeBytes - tailBytes)
  const limits = { signal: AbortSignal.timeout(lookMs), maxBytes: sizeBytes }
  try {
    const bytes = sizeBytes - first
    const { readBytes } = await readPart(ctx, url, path, { ...limits, first, bytes })
    return readBytes === bytes
  } catch (error) {
    // The beginning alone may be enough.
    if (error instanceof Refusal) return false
    throw error
  }
}

/** Containers whose ends tell their true length; others estimate it from the size of the file. */
const tellingContainers =
  /(?:^|,)(?:mov|matroska|mpegts|ogg|wav|w64|flac|mxf|avi|asf|aiff|caf)(?:,|$)/
const tellingHeaders = /(?:^|,)(?:mov|matroska)(?:,|$)/

async function lookAtEnds(
  ctx: Context,
  path: string,
  input: { accountId: string; isWhole: boolean; hasTail: boolean; mimeType: string | null },
): Promise<Pick<AddressLook, 'state' | 'message' | 'media'>> {
  // Without the rest of the packets only the header's word counts, so none are read.
  const look = await lookAtFile(ctx, input.accountId, path, input.isWhole ? {} : { scanMs: 0 })
  const { media, state, message } = look
  if (input.mimeType === 'text/html' && media?.kind === 'document') {
    const page = 'This address is a web page, not a file. Please enter the address of the file.'
    return { media: null, state: 'not_media', message: page }
  }
  if (input.isWhole) return { media, state, message }
  const telling = input.hasTail ? tellingContainers : tellingHeaders
  const isTold = telling.test(media?.container ?? '') && (media?.duration ?? 0) > 0
  if (media && (isTold || media.kind === 'image')) return { media, state, message }
  // It tells nothing yet; the job measures it.
  return { media: null, state: 'ready', message: null }
}

async function lookAtYoutube(
  ctx: Context,
  address: Address,
): Promise<Pick<AddressLook, 'name' | 'state' | 'message'>> {
  const { name } = address
  if (!isYoutubeSupported(ctx.config)) {
    return { name, state: 'refused', message: youtubeRefusal }
  }
  const video = await describeYoutube(ctx, address.url)
  if (!video) return { name, state: 'unreachable', message: fetchFailure }
  return { name: video.title ?? name, state: 'ready', message: null }
}

/** Writes a part of the address's file to the same place of a local one. */
async function readPart(
  ctx: Context,
  url: string,
  path: string,
  part: { first: number; bytes: number; signal: AbortSignal; maxBytes: number },
): Promise<OpenedUrl & { readBytes: number }> {
  const { first, bytes } = part
  const range = { first, last: first + bytes - 1 }
  const opened = await openUrl(ctx.config, url, { ...part, range })
  // Not for appending, which would ignore the place.
  const file = await open(path, constants.O_RDWR | constants.O_CREAT)
  let readBytes = 0
  try {
    if (opened.firstByte !== first) throw new Refusal('fetch_failed', fetchFailure)
    for await (const chunk of opened.body as AsyncIterable<Buffer>) {
      const wanted = chunk.subarray(0, bytes - readBytes)
      await file.write(wanted, 0, wanted.length, first + readBytes)
      readBytes += wanted.length
      if (readBytes >= bytes) break
    }
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal('fetch_failed', fetchFailure)
  } finally {
    await file.close()
    await opened.close()
  }
  if (readBytes === 0) throw new Refusal('fetch_failed', fetchFailure)
  return { ...opened, readBytes }
}

async function hashOf(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
}
