/**
 * Writes the landing page's demonstration: the findings and exports of a finished job on the
 * sample clip, asked for through the API like anybody else, and the clip's own frames.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { api } from '../../contract/api.ts'
import { createClient } from '../../client/create-client.ts'
import type { Findings } from '../../domain/findings/findings.ts'
import { frameAtTime, parseTimecode, timecodeFormat } from '../../domain/time/timecode.ts'

const root = resolve(import.meta.dirname, '../..')
const clip = resolve(root, 'assets/sample.mp4')
const folder = resolve(root, 'web/public')
const size = '640:360'
const tiles = 14
const levels = 230

const files = [
  { id: 'edl', label: 'EDL', query: 'format=edl' },
  { id: 'csv', label: 'CSV', query: 'format=csv&section=shots' },
  { id: 'srt', label: 'SRT', query: 'format=srt' },
]

export async function writeDemo(job: { url: string; id: string; token: string }): Promise<void> {
  const client = createClient(api, { base: job.url, token: () => job.token })
  const { results } = await client.getJobResults({ params: { id: job.id }, query: {} })
  const material = { ...findingsOf(results), levels: await soundLevels(job, results) }
  const exported = await Promise.all(
    files.map(async ({ id, label, query }) => {
      const text = await (await ask(job, `export?${query}`)).text()
      return { id, label, lines: linesOf(text, results) }
    }),
  )
  const file = resolve(root, 'web/features/demo/sample.json')
  writeFileSync(file, JSON.stringify({ ...material, files: exported }))
  execFileSync(resolve(root, 'node_modules/.bin/oxfmt'), [file])
  writePictures()
  console.log(`Wrote ${file}, demo.mp4, demo-poster.webp and demo-strip.webp.`)
}

function findingsOf({ media, shots, talking, cutpoints, transcription }: Partial<Findings>) {
  if (!media || !shots || !talking || !cutpoints || !transcription) {
    throw new Error('The job has not found everything.')
  }
  const span = (item: { start_frame: number; end_frame: number }) => ({
    startFrame: item.start_frame,
    endFrame: item.end_frame,
  })
  return {
    frames: media.frames,
    frameRate: media.frame_rate,
    startTimecode: media.start_timecode,
    shots: shots.shots.map((item) => ({ ...span(item), transition: item.transition })),
    talking: talking.talking.map(span),
    voiceOnly: talking.voice_only.map(span),
    lipFlap: talking.lip_flap.map(span),
    cutPoints: cutpoints.points
      .map(({ frame, score, reasons }) => ({ frame, score, reason: reasons[0] }))
      .toSorted((a, b) => a.frame - b.frame),
    sentences: transcription.sentences.map((item) => ({
      ...span(item),
      words: transcription.words
        .slice(item.first_word, item.last_word + 1)
        .map((word) => ({ ...span(word), text: word.text })),
    })),
  }
}

/** The loudest peak of each step, in per cent. */
async function soundLevels(
  job: { url: string; id: string; token: string },
  { thumbnail }: Partial<Findings>,
): Promise<number[]> {
  if (!thumbnail?.waveform) throw new Error('The job has no waveform.')
  const peaks = new Int8Array(
    await (await ask(job, `files/${thumbnail.waveform.file}`)).arrayBuffer(),
  )
  const perStep = peaks.length / levels
  return Array.from({ length: levels }, (_, step) => {
    const part = peaks.slice(Math.floor(step * perStep), Math.floor((step + 1) * perStep))
    return Math.round((Math.max(...part.map(Math.abs)) / 128) * 100)
  })
}

/** Each line with the frame of the time it names; what follows a time belongs to it. */
function linesOf(
  text: string,
  { media }: Partial<Findings>,
): { text: string; frame: number | null }[] {
  if (!media?.frame_rate || !media.start_timecode) throw new Error('The clip has no timecode.')
  const format = timecodeFormat(media.frame_rate, media.drop_frame)
  const startFrame = parseTimecode(media.start_timecode, format) ?? 0
  let frame: number | null = null
  return text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => {
      const timecode = /\d\d:\d\d:\d\d:\d\d/.exec(line)?.[0]
      const time = /^(\d\d):(\d\d):(\d\d),(\d{3}) /.exec(line)
      if (line === '') frame = null
      if (timecode) frame = (parseTimecode(timecode, format) ?? startFrame) - startFrame
      if (time) frame = frameAtTime({ num: BigInt(millisecondsOf(time)), den: 1000n }, format.rate)
      return { text: line, frame }
    })
}

function millisecondsOf([, hours, minutes, seconds, rest]: RegExpExecArray): number {
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(rest)
}

function writePictures(): void {
  const make = (filter: string, ...rest: string[]): void => {
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', clip, '-an', '-vf', filter, ...rest])
  }
  const webp = ['-frames:v', '1', '-c:v', 'libwebp', '-quality', '72']
  make(`scale=${size}`, ...webp, resolve(folder, 'demo-poster.webp'))
  const every = 23 / tiles
  make(
    `fps=1/${every}:start_time=${every / 2},scale=128:72,tile=${tiles}x1`,
    ...webp,
    resolve(folder, 'demo-strip.webp'),
  )
  // Most bytes of the sample are grain, which nobody sees at this size.
  make(
    `hqdn3d=4:3:12:12,scale=${size}`,
    ...['-c:v', 'libx264', '-preset', 'veryslow', '-crf', '31', '-g', '25'],
    ...['-pix_fmt', 'yuv420p', '-movflags', '+faststart', resolve(folder, 'demo.mp4')],
  )
}

async function ask(
  job: { url: string; id: string; token: string },
  path: string,
): Promise<Response> {
  const headers = { authorization: `Bearer ${job.token}` }
  const answer = await fetch(`${job.url}/v1/jobs/${job.id}/${path}`, { headers })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`)
  return answer
}
