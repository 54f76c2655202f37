/**
 * The waveform that is drawn under the timeline: the lowest and the highest sample of each
 * hundredth of a second, as signed bytes, in waveform.bin.
 */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { audioRate } from '../pass/plan.ts'
import type { PassFiles } from './extractor.ts'

const peaksPerSecond = 100
const file = 'waveform.bin'

export function createPeaks() {
  const each = audioRate / peaksPerSecond
  let bytes = new Int8Array(2 * peaksPerSecond * 600)
  let count = 0
  let low = 0
  let high = 0
  let filled = 0
  const close = (): void => {
    if (count * 2 + 2 > bytes.length) {
      const grown = new Int8Array(bytes.length * 2)
      grown.set(bytes)
      bytes = grown
    }
    bytes[count * 2] = low >> 8
    bytes[count * 2 + 1] = high >> 8
    count++
    filled = low = high = 0
  }
  return {
    push(samples: Int16Array): void {
      for (const sample of samples) {
        if (sample < low) low = sample
        if (sample > high) high = sample
        if (++filled === each) close()
      }
    },
    finish(): Int8Array {
      if (filled > 0) close()
      return bytes.slice(0, count * 2)
    },
  }
}

export async function writePeaks(
  workDir: string,
  peaks: Int8Array,
): Promise<NonNullable<PassFiles['waveform']>> {
  await writeFile(path.join(workDir, file), peaks)
  return { file, peaksPerSecond, count: peaks.length / 2 }
}
