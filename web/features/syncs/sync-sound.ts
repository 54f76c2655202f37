/** The sound of a sync's items to the sample: fetched in blocks, kept while they are near. */
import { api as endpoints } from '../../../contract/api.ts'
import { fetchFile } from '../../app/save-file.ts'

export const sampleRate = 48_000
const blockSeconds = 5
/** Half a megabyte each. */
const maxBlocks = 48
const headBytes = 44

const blocks = new Map<string, Promise<Int16Array>>()

/** Samples from a second of an item on; silence before its start and after its end. */
export async function readSamples(
  source: { syncId: string; contentId: string },
  { start, seconds }: { start: number; seconds: number },
): Promise<Float32Array<ArrayBuffer>> {
  const samples = new Float32Array(Math.round(seconds * sampleRate))
  const first = Math.round(start * sampleRate)
  const blockLength = blockSeconds * sampleRate
  const lastBlock = Math.floor((first + samples.length - 1) / blockLength)
  const firstBlock = Math.max(0, Math.floor(first / blockLength))
  const wanted = Array.from({ length: Math.max(0, lastBlock - firstBlock + 1) }, async (_, at) => {
    const number = firstBlock + at
    const block = await readBlock(source, number)
    const shift = number * blockLength - first
    for (let sample = Math.max(0, -shift); sample < block.length; sample++) {
      if (sample + shift >= samples.length) break
      samples[sample + shift] = block[sample]! / 32_768
    }
  })
  await Promise.all(wanted)
  return samples
}

function readBlock(
  { syncId, contentId }: { syncId: string; contentId: string },
  number: number,
): Promise<Int16Array> {
  const key = `${syncId} ${contentId} ${number}`
  const known = blocks.get(key)
  if (known) return known
  const block = fetchBlock(syncId, { contentId, start: number * blockSeconds })
  blocks.set(key, block)
  block.catch(() => blocks.delete(key))
  if (blocks.size > maxBlocks) blocks.delete(blocks.keys().next().value ?? '')
  return block
}

async function fetchBlock(
  syncId: string,
  { contentId, start }: { contentId: string; start: number },
): Promise<Int16Array> {
  const response = await fetchFile(endpoints.getSyncSound, {
    params: { id: syncId },
    query: { content_id: contentId, start: String(start), seconds: String(blockSeconds) },
  })
  return new Int16Array((await response.arrayBuffer()).slice(headBytes))
}
