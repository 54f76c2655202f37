/** The files of an ONNX Whisper folder, and what tells one such folder from another. */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'

export const whisperSettings = {
  config: 'config.json',
  generation: 'generation_config.json',
  preprocessor: 'preprocessor_config.json',
  vocabulary: 'vocab.json',
} as const

/** Quantised first: it is what fits a processor. */
export function onnxFile(folder: string, name: 'encoder_model' | 'decoder_model_merged'): string {
  for (const variant of ['_quantized', '_int8', '_uint8', '']) {
    const file = path.join(folder, 'onnx', `${name}${variant}.onnx`)
    if (existsSync(file)) return file
  }
  throw new Error(`The model folder has no onnx/${name}.onnx.`)
}

const known = new Map<string, { stamp: string; fingerprint: Promise<string> }>()

/**
 * Returns an id of the model's bytes, equal on every machine. Hundreds of megabytes are read for
 * it, so it is cached until a file's size or time changes.
 */
export async function modelFingerprint(folder: string): Promise<string> {
  const files = await filesOf(folder)
  const stamps = await Promise.all(
    files.map(async (file) => {
      const { size, mtimeMs } = await stat(path.join(folder, file))
      return `${file} ${size} ${mtimeMs}`
    }),
  )
  const stamp = stamps.join('\n')
  let entry = known.get(folder)
  if (entry?.stamp !== stamp) {
    entry = { stamp, fingerprint: sumOf(folder, files) }
    known.set(folder, entry)
  }
  return await entry.fingerprint
}

async function sumOf(folder: string, files: readonly string[]): Promise<string> {
  const whole = createHash('sha256')
  for (const file of files) {
    const sum = createHash('sha256')
    await pipeline(createReadStream(path.join(folder, file), { highWaterMark: 1 << 20 }), sum)
    whole.update(`${file} ${sum.digest('hex')}\n`)
  }
  return whole.digest('hex').slice(0, 16)
}

/** Settings and weights; a folder that lacks some still has a fingerprint, and fails when used. */
async function filesOf(folder: string): Promise<string[]> {
  const weights = await readdir(path.join(folder, 'onnx')).catch(() => [])
  const settings = Object.values(whisperSettings).filter((name) =>
    existsSync(path.join(folder, name)),
  )
  return [...settings, ...weights.map((name) => path.join('onnx', name))].sort()
}
