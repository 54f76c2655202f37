/**
 * A plain rule that editors' tools use, as a second peer: the mean change of hue, saturation and
 * value from frame to frame, where it is at least `minContent` and `ratio` times the mean of the
 * frames around it.
 */
import { spawn } from 'node:child_process'

const [ratio, window, minContent, minLength] = [3, 2, 15, 15]
const side = 256

export async function adaptiveFrames(file: string): Promise<number[]> {
  const changes = await hsvChanges(file)
  const cuts: number[] = []
  for (let at = window + 1; at + window < changes.length; at++) {
    let around = 0
    for (let near = at - window; near <= at + window; near++) {
      if (near !== at) around += changes[near]! / (2 * window)
    }
    const own = changes[at]!
    const isFar = at - (cuts.at(-1) ?? 0) >= minLength
    if (own >= minContent && own >= ratio * around && isFar) cuts.push(at)
  }
  return cuts
}

/** For each frame the mean change of hue (0 to 180), saturation and value (0 to 255). */
async function hsvChanges(file: string): Promise<number[]> {
  const bytes = side * side * 3
  const filters = `scale=${side}:${side}:flags=bilinear,format=rgb24`
  const args = ['-v', 'error', '-nostdin', '-i', file, '-map', '0:v:0', '-vf', filters]
  const raw = ['-fps_mode', 'passthrough', '-f', 'rawvideo', '-']
  const tool = spawn('ffmpeg', [...args, ...raw], { stdio: ['ignore', 'pipe', 'inherit'] })
  const changes: number[] = []
  let before: Float32Array | null = null
  let rest = Buffer.alloc(0)
  for await (const chunk of tool.stdout as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= bytes) {
      const after = toHsv(rest.subarray(0, bytes))
      rest = rest.subarray(bytes)
      changes.push(before ? meanDistance(before, after) : 0)
      before = after
    }
  }
  return changes
}

function toHsv(rgb: Uint8Array): Float32Array {
  const hsv = new Float32Array(rgb.length)
  for (let at = 0; at < rgb.length; at += 3) {
    const [red, green, blue] = [rgb[at]!, rgb[at + 1]!, rgb[at + 2]!]
    const value = Math.max(red, green, blue)
    const range = value - Math.min(red, green, blue)
    let hue = 0
    if (range > 0 && value === red) hue = (green - blue) / range + (green < blue ? 6 : 0)
    else if (range > 0 && value === green) hue = 2 + (blue - red) / range
    else if (range > 0) hue = 4 + (red - green) / range
    hsv[at] = 30 * hue
    hsv[at + 1] = value > 0 ? (255 * range) / value : 0
    hsv[at + 2] = value
  }
  return hsv
}

function meanDistance(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += Math.abs(a[at]! - b[at]!)
  return sum / a.length
}
