/** The output of a pass that is a proxy: one file, or segments that play while the rest is made. */
import path from 'node:path'
import { toNumber } from '../../domain/time/rational.ts'
import type { MediaDetails } from '../probe.ts'
import { hasSound, proxyFileName, segmentsStartName } from './plan.ts'
import type { PassRequest, Plan } from './plan.ts'

/**
 * Half the processor time of the next preset at the same likeness to the original (SSIM within .004
 * on a trailer, an advert and an animation). CABAC and deblocking, which this preset leaves out,
 * save a quarter of the bytes for a twentieth of its time.
 */
const proxyQuality = [
  ...['-preset', 'ultrafast', '-crf', '27', '-x264-params', 'cabac=1:deblock=1,1'],
]

export function proxyOutput(
  request: PassRequest,
  plan: Plan,
  paths: { out: string },
  exact: string[],
): string[] {
  return [
    ...['-map', '[proxy]', ...(hasSound(request) ? ['-map', '[listen]'] : []), ...exact],
    ...['-c:v', 'libx264', ...proxyQuality, '-g', '25', '-bf', '0'],
    ...['-bsf:v', lastLength(request.details, plan)],
    ...proxyEnd(request, plan, paths),
  ]
}

/**
 * Newer versions of ffmpeg give the last frame no length, and a frame without one is not shown.
 * Every other frame lasts until the next in the file, whatever its packet says.
 */
function lastLength({ clock, video }: MediaDetails, plan: Plan): string {
  const tick = video ? toNumber(video.timeBase) : 0.001
  const isEnd = plan.startFrame + plan.frames === clock.frames
  const own = isEnd ? video?.lastTicks : undefined
  const ticks = own ?? Math.max(1, Math.round(1 / (toNumber(clock.rate) * tick)))
  return `setts=duration=${ticks}`
}

export function proxyEnd(request: PassRequest, plan: Plan, paths: { out: string }): string[] {
  return [
    // The other coder takes 2.6 times as long, more than all else that is done with the sound.
    ...['-c:a', 'aac', '-aac_coder', 'fast', '-b:a', '128k', '-ac', '2'],
    ...['-max_muxing_queue_size', '9999', '-t', (plan.seconds + 60).toFixed(3)],
    ...[
      '-map_metadata',
      '-1',
      ...(request.onSegment ? segments(paths) : wholeFile(request, paths)),
    ],
  ]
}

function wholeFile(request: PassRequest, paths: { out: string }): string[] {
  const file = path.join(paths.out, request.proxyName ?? proxyFileName)
  return ['-movflags', '+faststart', '-f', 'mp4', file]
}

/** The list goes to a pipe, each time with the one segment that is new. */
function segments(paths: { out: string }): string[] {
  return [
    // Else the coder's lead-in of the sound would move the first frame.
    ...['-avoid_negative_ts', 'disabled', '-f', 'hls', '-hls_segment_type', 'fmp4'],
    // The first ones are short, so that the first frame is there early.
    ...['-hls_init_time', '1', '-hls_time', '4', '-hls_list_size', '1'],
    ...['-hls_fmp4_init_filename', path.join(paths.out, segmentsStartName)],
    ...['-hls_segment_filename', path.join(paths.out, 'segment-%05d.m4s'), 'pipe:1'],
  ]
}
