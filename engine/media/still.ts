/** One representative picture of a file as a JPEG, for a library's list. */
import type { ProbeOutcome } from '../probe.ts'
import { toneMap } from './tone-map.ts'
import { inputGuards, runTool } from '../tools/run.ts'

const maxSide = 480
const maxStillBytes = 2 * 1024 * 1024

/** Makes a still; null if the file has no frame that decodes. */
export async function makeStill(
  file: string,
  probed: Exclude<ProbeOutcome, { status: 'refused' }>,
  options: { signal?: AbortSignal } = {},
): Promise<Buffer | null> {
  const { media } = probed
  const isVideo = media.kind === 'video'
  if (!isVideo && media.kind !== 'image' && media.kind !== 'audio') return null
  // The first frames are often black or a slate; a tenth in, something is to be seen.
  const seconds = isVideo ? Math.min(media.duration / 10, 60) : 0
  const chunks: Buffer[] = []
  let size = 0
  const outcome = await runTool({
    tool: 'ffmpeg',
    input: file,
    wallMs: 20_000,
    signal: options.signal,
    limits: { memoryBytes: 4 * 1024 ** 3, cpuSeconds: 30, fileBytes: 0 },
    args: (paths) => [
      ...['-nostdin', '-v', 'error', ...inputGuards],
      ...(seconds > 0.5 ? ['-ss', seconds.toFixed(3)] : []),
      ...['-i', paths.input, '-map', '0:v:0', '-an', '-sn', '-dn', '-vf', filters(probed)],
      ...['-frames:v', '1', '-q:v', '4', '-f', 'mjpeg', 'pipe:1'],
    ],
    pipes: {
      1(chunk) {
        size += chunk.length
        if (size <= maxStillBytes) chunks.push(chunk)
      },
    },
  })
  const image = Buffer.concat(chunks)
  const isWhole = size > 2 && size <= maxStillBytes && image.readUInt16BE(0) === 0xffd8
  return outcome.end === 'done' && isWhole ? image : null
}

/** Square pixels, at most 480 on a side; of a few frames the most typical one. */
function filters(probed: Exclude<ProbeOutcome, { status: 'refused' }>): string {
  const { streams = [] } = probed.status === 'media' ? probed.details : (probed.report ?? {})
  const image = streams.find((stream) => stream.codec_type === 'video')
  const fit = `scale=${maxSide}:${maxSide}:force_original_aspect_ratio=decrease:force_divisible_by=2`
  const square = `scale='max(2,trunc(iw*sar/2)*2)':ih`
  const parts = [square, fit, 'setsar=1', ...toneMap(image?.color_transfer), 'format=yuvj420p']
  return (probed.media.kind === 'video' ? ['thumbnail=12', ...parts] : parts).join(',')
}
