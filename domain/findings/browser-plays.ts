import type { Media } from './findings.ts'

/**
 * Whether a browser may play the file as it is. HEVC and AV1 play in some: a browser that tried and
 * failed says so and gets a proxy. Media described by an older version has no pixel format.
 */
export function browserPlays(media: Media): boolean {
  const containers = (media.container ?? '').split(',')
  if (containers.includes('avi') || containers.includes('mxf')) return false
  const rules = families.find(({ container }) => containers.includes(container))
  if (!rules) return false
  const { video_codec: codec, pixel_format: pixels = null, audio } = media
  // A browser plays the first track of sound, and fails where it cannot.
  const sound = audio[0]?.codec ?? null
  if (sound !== null && !rules.audio.includes(sound)) return false
  if (media.kind === 'audio') return true
  return (
    codec !== null && rules.video.includes(codec) && (pixels === null || isPlayed(codec, pixels))
  )
}

const families = [
  {
    container: 'mp4',
    video: ['h264', 'hevc', 'av1', 'vp9'],
    audio: ['aac', 'mp3', 'opus', 'flac', 'alac'],
  },
  { container: 'webm', video: ['vp8', 'vp9', 'av1'], audio: ['opus', 'vorbis'] },
  { container: 'ogg', video: [], audio: ['opus', 'vorbis', 'flac'] },
  { container: 'mp3', video: [], audio: ['mp3'] },
  { container: 'flac', video: [], audio: ['flac'] },
  { container: 'aac', video: [], audio: ['aac'] },
  {
    container: 'wav',
    video: [],
    audio: ['pcm_u8', 'pcm_s16le', 'pcm_s24le', 'pcm_s32le', 'pcm_f32le'],
  },
]

/** True for pixel formats that every browser decodes: 8 bits in H.264, up to 10 in other codecs. */
function isPlayed(codec: string, pixels: string): boolean {
  const eightBits = ['yuv420p', 'yuvj420p']
  const tenBits = codec === 'h264' ? [] : ['yuv420p10le']
  return [...eightBits, ...tenBits].includes(pixels)
}
