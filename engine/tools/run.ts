/**
 * The only place that starts a media tool or one that reads PDFs. A run always ends: by itself, by
 * the caller's signal, or by the wall clock, which kills the whole group.
 */
import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { isolate, isolationState, sendFilter } from './isolate.ts'
import type { IsolationState, ToolLimits, ToolPaths } from './isolate.ts'

export interface ToolRun {
  tool: 'ffmpeg' | 'ffprobe' | 'pdftotext' | 'pdfinfo'
  input: string
  outDir?: string
  /** Names of further files in `outDir` that the tool reads. */
  alsoReads?: readonly string[]
  args: (paths: ToolPaths) => string[]
  wallMs: number
  limits?: Partial<ToolLimits>
  signal?: AbortSignal
  /** Reader of each descriptor (1, 3, 4, …); a promise holds the tool back until it settles. */
  pipes?: Record<number, (chunk: Buffer) => void | Promise<void>>
  /** Tests choose weaker isolation with this; otherwise the machine decides. */
  isolation?: IsolationState
}

export type ToolEnd = 'done' | 'failed' | 'timeout' | 'canceled'

export interface ToolOutcome {
  end: ToolEnd
  code: number | null
  /** The last lines the tool printed on stderr, without the input's path. */
  stderr: string
}

const defaultLimits: ToolLimits = {
  memoryBytes: 8 * 1024 ** 3,
  cpuSeconds: 24 * 3600,
  fileBytes: 64 * 1024 ** 3,
}
const stderrLimit = 16 * 1024

/**
 * Formats that hold media in one file. Absent on purpose: everything that names other files or
 * addresses (hls, dash, concat, imf, sdp, rtsp, image2), devices, lavfi, and text that ffmpeg would
 * draw (tty, ass, srt).
 */
const formats = [
  'mov,matroska,webm,mpegts,mpeg,mpegvideo,avi,mxf,flv,asf,ogg,wav,w64,aiff,caf,flac,mp3,aac,ac3',
  'eac3,dts,dtshd,amr,amrnb,amrwb,au,ape,wv,tta,dv,gxf,h264,hevc,m4v,h263,ivf,obu,av1,nut,rm,wtv',
  'vc1,truehd,mlp,mjpeg,yuv4mpegpipe,gif,apng,png_pipe,jpeg_pipe,webp_pipe,bmp_pipe,tiff_pipe',
  'exr_pipe,dpx_pipe,psd_pipe,jpegxl_pipe,j2k_pipe,jpegls_pipe',
].join(',')

/** 100 megapixels: above every camera's film frame, below what makes a decoder crawl. */
export const maxPixels = 100_000_000

/** The options that stand before every input. */
export const inputGuards: readonly string[] = [
  '-protocol_whitelist',
  'file,pipe',
  '-format_whitelist',
  formats,
  '-max_pixels',
  String(maxPixels),
]

export async function runTool(run: ToolRun): Promise<ToolOutcome> {
  if (run.signal?.aborted) return { end: 'canceled', code: null, stderr: '' }
  const limits = { ...defaultLimits, ...run.limits }
  const { input, outDir, alsoReads } = run
  const state = run.isolation ?? (await isolationState())
  const highest = Math.max(2, ...Object.keys(run.pipes ?? {}).map(Number))
  const fds = { filter: highest + 1, input: highest + 2 }
  const access = { program: run.tool, input, outDir, alsoReads, limits }
  const isolated = await isolate(access, state, fds, run.args)
  const stdio = Array.from({ length: highest + 1 }, (_, fd) =>
    fd === 2 || run.pipes?.[fd] ? ('pipe' as const) : ('ignore' as const),
  )
  const child = spawn(isolated.command, isolated.args, {
    stdio: [...stdio, isolated.filter ? 'pipe' : 'ignore', isolated.input?.fd ?? 'ignore'],
    detached: true,
    env: {},
    cwd: outDir ?? '/',
  })
  void isolated.input?.close()
  if (isolated.filter) sendFilter(child.stdio[fds.filter], isolated.filter)
  let end: ToolEnd | undefined
  const kill = (why: ToolEnd): void => {
    end ??= why
    killGroup(child.pid)
  }
  const timer = setTimeout(() => kill('timeout'), run.wallMs)
  const onAbort = (): void => kill('canceled')
  run.signal?.addEventListener('abort', onAbort, { once: true })

  let stderr = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(-stderrLimit)
  })
  const reads = Object.entries(run.pipes ?? {}).map(([fd, sink]) =>
    drain(child.stdio[Number(fd)] as Readable, sink).catch((error: unknown) => {
      kill('failed')
      throw error
    }),
  )
  try {
    const exit = new Promise<number | null>((resolve, reject) => {
      child.on('error', reject)
      child.on('close', resolve)
    })
    const [code] = await Promise.all([exit, ...reads])
    const hidden = stderr
      .replaceAll(isolated.paths.input, 'input')
      .replaceAll(input, 'input')
      .trim()
    return { end: end ?? (code === 0 ? 'done' : 'failed'), code, stderr: hidden }
  } finally {
    clearTimeout(timer)
    run.signal?.removeEventListener('abort', onAbort)
    killGroup(child.exitCode === null && child.signalCode === null ? child.pid : undefined)
  }
}

async function drain(
  stream: Readable,
  sink: (chunk: Buffer) => void | Promise<void>,
): Promise<void> {
  for await (const chunk of stream) {
    const pending = sink(chunk as Buffer)
    if (pending) await pending
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // The group ended in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
