/**
 * `npm run prove:pixel-formats [-- words]`: every pixel format that this ffmpeg can encode, from 8
 * to
 * 16 bit, by every encoder that takes it, in even and odd sizes, through a whole analysis. Promised
 * are the exact number of frames, shots, a poster, a proxy and a still. Words choose cases by part
 * of their name.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, mkdtempDisposable } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { analyse } from '../../engine/analyse.ts'
import { makeStill } from '../../engine/media/still.ts'
import { probe } from '../../engine/probe.ts'
import { ensureSystemPackages, toTest } from '../system-packages.ts'

const execute = promisify(execFile)

export interface PixelCase {
  encoder: string
  format: string
  size: string
}

const frames = 6
const sizes = ['64x48', '33x17', '2x2']
/** These encoders know a few sizes and rates only. */
const fixedSizes: Record<string, string> = { dvvideo: '720x480', h261: '176x144', h263: '176x144' }
/** Neither pictures in a row nor anything an editor is handed. */
const leftOut = /^(wrapped_avframe|a64multi5?|xbm|xface|.*_(v4l2m2m|vaapi|nvenc|qsv|amf|omx)|vc2)$/
const containers: Record<string, string> = { gif: 'gif', dvvideo: 'dv', apng: 'apng' }

/**
 * Tries one case; null if all is right, else the fault; 'skipped' if ffmpeg cannot make or read the
 * file.
 */
export async function tryPixelCase(folder: string, pixelCase: PixelCase): Promise<string | null> {
  const { encoder, format, size } = pixelCase
  const container = containers[encoder] ?? (encoder === 'rawvideo' ? 'nut' : 'mkv')
  const file = path.join(folder, `${encoder}-${format}-${size}.${container}`)
  const source = `testsrc2=s=${size}:r=30000/1001`
  const make = ['-f', 'lavfi', '-i', source, '-frames:v', String(frames), '-pix_fmt', format]
  const loose = ['-c:v', encoder, '-strict', '-2', '-g', '1', file]
  try {
    await execute('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...make, ...loose], {
      timeout: 60_000,
    })
  } catch {
    return 'skipped'
  }
  const workDir = await mkdtemp(path.join(folder, 'work-'))
  try {
    const complaint = await complaintAbout(file, workDir)
    return complaint !== null && (await countDecoded(file)) < frames ? 'skipped' : complaint
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await rm(workDir, { recursive: true })
    await rm(file)
  }
}

/** As many frames as ffmpeg itself decodes: its APNG of 16 bit with alpha ends after one. */
async function countDecoded(file: string): Promise<number> {
  const args = ['-v', 'quiet', '-nostdin', '-i', file, '-map', '0:v', '-f', 'framecrc', '-']
  const { stdout } = await execute('ffmpeg', args).catch((error: { stdout?: string }) => error)
  return (stdout ?? '').split('\n').filter((line) => line.startsWith('0,')).length
}

async function complaintAbout(file: string, workDir: string): Promise<string | null> {
  const probed = await probe(file)
  if (probed.status === 'refused') return `refused: ${probed.message}`
  const { media } = probed
  if (media.kind !== 'video') return `taken for ${media.kind}`
  const { outcomes, findings } = await analyse({
    file,
    extractors: ['shots', 'thumbnail'],
    workDir,
  })
  const failed = Object.entries(outcomes).find(([, outcome]) => outcome.status !== 'done')
  if (failed) return `${failed[0]}: ${JSON.stringify(failed[1])}`
  if (findings.media?.frames !== frames) return `${findings.media?.frames} of ${frames} frames`
  if (!findings.thumbnail?.poster) return 'no poster'
  if (findings.thumbnail.proxy?.frames !== frames) return 'frames are missing from the proxy'
  return (await makeStill(file, probed)) ? null : 'no still'
}

export async function listPixelCases(): Promise<PixelCase[]> {
  const { stdout } = await execute('ffmpeg', ['-hide_banner', '-v', 'error', '-encoders'])
  const encoders = [...stdout.matchAll(/^ V[\w.]{5} (\S+)/gm)].map((match) => match[1]!)
  const cases: PixelCase[] = []
  for (const encoder of encoders.filter((name) => name !== '=' && !leftOut.test(name))) {
    for (const format of await formatsOf(encoder)) {
      const fixed = fixedSizes[encoder]
      for (const size of fixed ? [fixed] : sizes) cases.push({ encoder, format, size })
    }
  }
  return cases
}

async function formatsOf(encoder: string): Promise<string[]> {
  if (encoder === 'rawvideo') {
    const { stdout } = await execute('ffmpeg', ['-hide_banner', '-v', 'error', '-pix_fmts'])
    const rows = stdout.split('\n').map((row) => /^I[O.][H.][P.][B.] (\S+)/.exec(row)?.[1])
    return rows.filter((name) => name !== undefined)
  }
  const { stdout } = await execute('ffmpeg', ['-hide_banner', '-h', `encoder=${encoder}`])
  return /Supported pixel formats: (.*)/.exec(stdout)?.[1]?.trim().split(' ') ?? ['yuv420p']
}

if (import.meta.main) {
  ensureSystemPackages(toTest)
  const words = process.argv.slice(2)
  await using scratch = await mkdtempDisposable(path.join(os.tmpdir(), 'pixel-formats-'))
  const folder = scratch.path
  const counts = { right: 0, skipped: 0, wrong: 0 }
  const nameOf = (item: PixelCase): string => `${item.encoder} ${item.format} ${item.size}`
  const all = await listPixelCases()
  for (const item of all.filter((each) => words.every((word) => nameOf(each).includes(word)))) {
    const complaint = await tryPixelCase(folder, item)
    counts[complaint === null ? 'right' : complaint === 'skipped' ? 'skipped' : 'wrong']++
    if (complaint && complaint !== 'skipped') console.log(`${nameOf(item)}: ${complaint}`)
  }
  console.log(
    `${counts.right} right, ${counts.wrong} wrong, ${counts.skipped} that ffmpeg cannot encode or decode`,
  )
  process.exitCode = counts.wrong > 0 ? 1 : 0
}
