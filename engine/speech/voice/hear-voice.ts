/**
 * Where a voice is heard in a whole sound. A very quiet one is heard again, louder: by one gain for
 * all of it, so that no voice depends on where the sound was cut.
 */
import { open } from 'node:fs/promises'
import { createVad } from './vad.ts'
import type { Vad } from './vad.ts'

const blockSamples = 1 << 16

/** Ends a detector that has heard all of the file's sound (raw s16le mono 16 kHz). */
export async function finishVoice(
  vad: Vad,
  { file, signal }: { file: string; signal?: AbortSignal },
): Promise<Float32Array> {
  const probabilities = await vad.finish()
  const gain = vad.missingGain()
  if (gain === 1) return probabilities
  const louder = createVad({ signal, gain })
  await pushFile(louder, file)
  return await louder.finish()
}

export async function hearVoice(file: string, signal?: AbortSignal): Promise<Float32Array> {
  const vad = createVad({ signal })
  await pushFile(vad, file)
  return await finishVoice(vad, { file, signal })
}

async function pushFile(vad: Vad, file: string): Promise<void> {
  const handle = await open(file)
  try {
    for (;;) {
      const samples = new Int16Array(blockSamples)
      const { bytesRead } = await handle.read(new Uint8Array(samples.buffer))
      if (bytesRead === 0) return
      await vad.push(samples.subarray(0, bytesRead >> 1))
    }
  } catch (error) {
    vad.stop()
    throw error
  } finally {
    await handle.close()
  }
}
