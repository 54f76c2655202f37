/** A folder with an ONNX Whisper, and its models as they are run. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { keepModels, openMade } from './keep-models.ts'
import type { Prepared, Rewritten } from './keep-models.ts'
import { readWeights, recordedSum, weightsFolder } from './weights.ts'

export interface WhisperFolder {
  path: string
  read(file: string): Promise<Buffer>
  /**
   * Opens the result of `make` on a file. It is kept for other processes only if the file's
   * checksum is recorded, since a custom model may change.
   */
  prepare<R extends Rewritten>(
    file: string,
    options: unknown,
    make: (bytes: Buffer) => R | null,
  ): Promise<Prepared<R> | null>
}

export function packagedWhisper(): WhisperFolder {
  const id = 'whisper-small'
  const read = (file: string): Promise<Buffer> => readWeights(id, file)
  return {
    path: weightsFolder(id),
    read,
    async prepare(file, options, make) {
      const name = `${id}-${path.basename(file, '.onnx')}`
      const key = { name, madeFrom: recordedSum(id, file), options }
      return await keepModels(key, async () => make(await read(file)))
    },
  }
}

export function ownWhisper(folder: string): WhisperFolder {
  return {
    path: folder,
    read: (file) => readFile(file),
    async prepare(file, _options, make) {
      const rewritten = make(await readFile(file))
      return rewritten && openMade(rewritten)
    },
  }
}
