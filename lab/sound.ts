/** Sound for made recordings: files read at one rate, turns of speech, rooms. */
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { fftOf } from '../engine/sync/fft.ts'

const runFile = promisify(execFile)
export const madeRate = 16_000

export interface Turn {
  start: number
  end: number
  speaker: string
}

/** The turns of each recording that an RTTM file names. */
export async function readTurns(file: string): Promise<Map<string, Turn[]>> {
  const turns = new Map<string, Turn[]>()
  for (const line of (await readFile(file, 'utf8')).trim().split('\n')) {
    const [, name = '', , start, length, , , speaker = ''] = line.split(/\s+/)
    const turn = { start: Number(start), end: Number(start) + Number(length), speaker }
    turns.set(name, [...(turns.get(name) ?? []), turn])
  }
  return turns
}

/** All FLAC files of a folder, each at 16 kHz, in the order of their names. */
export async function readVoices(folder: string): Promise<Float32Array[]> {
  const voices: Float32Array[] = []
  const names = (await readdir(folder)).filter((name) => name.endsWith('.flac')).sort()
  for (const name of names) voices.push(await readSound(path.join(folder, name)))
  return voices
}

/** A file as 16-bit numbers at 16 kHz, mono. */
export async function readSound(file: string): Promise<Float32Array> {
  const args = ['-v', 'error', '-i', file, '-ac', '1', '-ar', String(madeRate), '-f', 's16le', '-']
  const { stdout } = await runFile('ffmpeg', args, { encoding: 'buffer', maxBuffer: 2 ** 28 })
  const bytes = new Uint8Array(stdout)
  return Float32Array.from(new Int16Array(bytes.buffer, 0, bytes.length >> 1))
}

/** A sound in a room, as long as the sound; fast, by blocks. */
export function convolve(sound: Float32Array, room: Float32Array): Float32Array {
  const points = 2 ** 16
  const block = points - room.length
  const fft = fftOf(points)
  const roomRe = new Float64Array(points)
  const roomIm = new Float64Array(points)
  roomRe.set(room)
  fft.transform(roomRe, roomIm)
  const out = new Float32Array(sound.length)
  const re = new Float64Array(points)
  const im = new Float64Array(points)
  for (let start = 0; start < sound.length; start += 2 * block) {
    // Two blocks go through one transform: the second as the imaginary part.
    re.fill(0)
    im.fill(0)
    re.set(sound.subarray(start, start + block))
    im.set(sound.subarray(start + block, start + 2 * block))
    fft.transform(re, im)
    for (let bin = 0; bin < points; bin++) {
      const real = re[bin]! * roomRe[bin]! - im[bin]! * roomIm[bin]!
      im[bin] = re[bin]! * roomIm[bin]! + im[bin]! * roomRe[bin]!
      re[bin] = real
    }
    fft.transform(im, re)
    for (let at = 0; at < points; at++) {
      if (start + at < out.length) out[start + at]! += re[at]! / points
      if (start + block + at < out.length) out[start + block + at]! += im[at]! / points
    }
  }
  return out
}
