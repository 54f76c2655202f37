/**
 * YouTube by yt-dlp, where it is installed. It gets nothing but the address of one video that we
 * spelled ourselves, and a format that needs no joining, so that no media tool runs outside the
 * engine's sandbox.
 */
import { execFile } from 'node:child_process'
import { rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import * as z from 'zod'
import type { Config } from '../ground/config.ts'
import type { Context } from '../ground/context.ts'
import { Refusal } from '../ground/refusal.ts'
import { fetchFailure } from './fetch-url.ts'
import type { FetchedFile, FetchLimits } from './fetch-url.ts'
import { newWorkFile } from '../storage/scratch.ts'

const run = promisify(execFile)
const describeTimeoutMs = 20_000
const fetchTimeoutMs = 3_600_000

const common = ['--ignore-config', '--no-playlist', '--no-cache-dir', '--no-progress', '--quiet']
const Description = z.object({
  title: z.string().nullish(),
  duration: z.number().nullish(),
  is_live: z.boolean().nullish(),
})

export const youtubeRefusal =
  'YouTube links can be kept here but not analysed yet. Please upload the file instead.'

export function isYoutubeSupported(config: Pick<Config, 'ytDlp'>): boolean {
  return config.ytDlp !== null
}

const oneVideoOnly = 'Please give the address of one video, not of a channel or a list.'

/**
 * As address.ts spells it. Other pages of YouTube lead on, some of them to any address that a
 * parameter names, and yt-dlp follows.
 */
function isOneVideo(url: string): boolean {
  return /^https:\/\/www\.youtube\.com\/watch\?v=[\w-]{11}$/.test(url)
}

/** Title and length, or null where YouTube does not answer for this video. */
export async function describeYoutube(
  ctx: Context,
  url: string,
): Promise<{ title: string | null; durationSeconds: number | null } | null> {
  if (!isOneVideo(url)) return null
  try {
    const { stdout } = await runYtDlp(ctx, ['--dump-json', '--skip-download', '--', url], {
      timeout: describeTimeoutMs,
    })
    const { title, duration } = Description.parse(JSON.parse(stdout))
    return { title: title ?? null, durationSeconds: duration ?? null }
  } catch (error) {
    ctx.log.info({ code: (error as NodeJS.ErrnoException).code }, 'yt-dlp gave no description')
    return null
  }
}

export async function fetchYoutubeToFile(
  ctx: Context,
  url: string,
  limits: FetchLimits,
): Promise<FetchedFile> {
  if (!isOneVideo(url)) throw new Refusal('unsupported_source', oneVideoOnly)
  const path = await newWorkFile(ctx.config)
  const release = (): Promise<void> => rm(path, { force: true })
  try {
    const args = ['--format', 'b', '--max-filesize', String(limits.maxBytes), '--output', path]
    await runYtDlp(ctx, [...args, '--no-part', '--no-mtime', '--', url], {
      timeout: fetchTimeoutMs,
      ...(limits.signal ? { signal: limits.signal } : {}),
    })
    const { size } = await stat(path)
    return { path, sizeBytes: size, mimeType: null, fileName: null, release }
  } catch {
    await release()
    if (limits.signal?.aborted) throw new Refusal('canceled', 'The fetch was canceled.')
    throw new Refusal('fetch_failed', fetchFailure)
  }
}

function runYtDlp(
  ctx: Context,
  args: string[],
  options: { timeout: number; signal?: AbortSignal },
): Promise<{ stdout: string }> {
  if (ctx.config.ytDlp === null) throw new Error('yt-dlp is not installed')
  return run(ctx.config.ytDlp, [...common, ...args], {
    ...options,
    killSignal: 'SIGKILL',
    maxBuffer: 8 * 1024 ** 2,
    cwd: tmpdir(),
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: tmpdir() },
  })
}
