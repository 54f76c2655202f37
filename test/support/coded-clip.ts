/**
 * Footage that says of every frame and of every sample where it is from: eight bars are the bits of
 * a frame's number, and each second has a tone and a loudness of its own.
 */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeClip } from '../../engine/clips.testing.ts'

const run = promisify(execFile)
const width = 160
const height = 90
const soundRate = 8000
export const codedSeconds = 8
const rate = 25

const toneOf = (second: number): number => 500 + 250 * second
const loudnessOf = (second: number): number => 0.1 * (second + 1)

export function makeCodedClip(folder: string, name: string): Promise<string> {
  return makeClip(
    folder,
    `-f lavfi -i color=black:size=${width}x${height}:rate=${rate}:duration=${codedSeconds},format=gray,geq=lum='if(bitand(N\\,pow(2\\,floor(X/${width / 8})))\\,225\\,30)'
     -f lavfi -i aevalsrc='${loudnessOf(0)}*(1+floor(t))*sin(2*PI*t*(${toneOf(0)}+250*floor(t)))':s=48000:d=${codedSeconds}
     -af pan=stereo|c0=c0|c1=c0 -c:v libx264 -preset ultrafast -crf 10 -pix_fmt yuv420p -c:a aac -b:a 192k ${name}`,
  )
}

async function decode(file: string, args: readonly string[]): Promise<Buffer> {
  const { stdout } = await run('ffmpeg', ['-v', 'error', '-i', file, ...args, 'pipe:1'], {
    encoding: 'buffer',
    maxBuffer: 1e9,
  })
  return stdout
}

/** Frame numbers that a video, an image or a sheet of tiles shows; black ones are none. */
export async function framesIn(
  folder: string,
  name: string,
  bytes: Uint8Array,
  grid = { columns: 1, rows: 1 },
): Promise<number[]> {
  const file = join(folder, name)
  await writeFile(file, bytes)
  const [across, down] = [width * grid.columns, height * grid.rows]
  const raw = await decode(file, [
    '-an',
    '-vf',
    `scale=${across}:${down}`,
    '-pix_fmt',
    'gray',
    '-f',
    'rawvideo',
  ])
  const numbers: number[] = []
  for (let at = 0; at + across * down <= raw.length; at += across * down) {
    for (let tile = 0; tile < grid.columns * grid.rows; tile += 1) {
      const left = (tile % grid.columns) * width
      const top = Math.floor(tile / grid.columns) * height + height / 2
      const bits = Array.from({ length: 8 }, (_, bit) => {
        const x = left + Math.floor(((bit + 0.5) * width) / 8)
        return raw[at + top * across + x]! > 128 ? 1 << bit : 0
      })
      const number = bits.reduce((sum, bit) => sum + bit, 0)
      const isBlack = raw[at + top * across + left + 10]! < 22
      if (number > 0 || !isBlack) numbers.push(number)
    }
  }
  return numbers
}

/** The seconds whose tones are heard, looked for in each tenth of a second. */
export async function secondsIn(
  folder: string,
  name: string,
  bytes: Uint8Array,
): Promise<number[]> {
  const file = join(folder, name)
  await writeFile(file, bytes)
  const raw = await decode(file, ['-vn', '-ac', '1', '-ar', String(soundRate), '-f', 's16le'])
  const samples = new Int16Array(raw.buffer, raw.byteOffset, raw.length >> 1)
  const each = soundRate / 10
  const heard = new Set<number>()
  for (let at = 0; at + each <= samples.length; at += each) {
    for (let second = 0; second < codedSeconds; second += 1) {
      let [real, imaginary] = [0, 0]
      for (let index = 0; index < each; index += 1) {
        const turn = (2 * Math.PI * toneOf(second) * index) / soundRate
        real += samples[at + index]! * Math.cos(turn)
        imaginary += samples[at + index]! * Math.sin(turn)
      }
      if (Math.hypot(real, imaginary) / each > 0.2 * 0.5 * 32_768 * loudnessOf(0)) heard.add(second)
    }
  }
  return [...heard].sort((a, b) => a - b)
}

/** The seconds whose loudness a waveform draws; the middle one, since coders overshoot at a cut. */
export function drawnSeconds(bytes: Uint8Array): number[] {
  const peaks = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
  const drawn = new Set<number>()
  for (let at = 0; at + 20 <= peaks.length; at += 20) {
    const rising = Array.from(peaks.subarray(at, at + 20), Math.abs).sort((a, b) => a - b)
    drawn.add(Math.round(rising[10]! / 128 / loudnessOf(0)) - 1)
  }
  return [...drawn].filter((second) => second >= 0).sort((a, b) => a - b)
}
