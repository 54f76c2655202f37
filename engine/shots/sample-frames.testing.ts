/** The sample's small frames, as a pass reads them. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { smallFrames } from '../pass/arguments.ts'
import { smallBytes } from '../pass/plan.ts'

const run = promisify(execFile)
/** As the sample is. */
export const sampleFilter = smallFrames({ width: 960, height: 540 })
const sample = path.resolve(import.meta.dirname, '../../assets/sample.mp4')

/** `input` are options of the decoder; `filter` makes the frames small. */
export async function readSampleFrames(
  input: readonly string[] = [],
  filter = sampleFilter,
): Promise<Uint8Array[]> {
  const { stdout } = await run(
    'ffmpeg',
    [
      ...['-v', 'error', '-nostdin', ...input, '-i', sample, '-map', '0:v', '-vf', filter],
      ...['-fps_mode', 'passthrough', '-f', 'rawvideo', '-'],
    ],
    { encoding: 'buffer', maxBuffer: 64e6 },
  )
  return Array.from({ length: stdout.length / smallBytes }, (_, frame) =>
    stdout.subarray(frame * smallBytes, (frame + 1) * smallBytes),
  )
}
