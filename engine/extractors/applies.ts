import type { Media } from '../../domain/findings/findings.ts'
import type { RefusalCode } from '../../contract/refusal.ts'
import type { Extractor } from './extractor.ts'

export interface SkipReason {
  code: RefusalCode & ('no_audio' | 'no_video' | 'unsupported_source')
  message: string
}

/**
 * Returns why an extractor does not apply to a medium, or null if it does. A quote asks with the
 * medium alone; a run adds the streams that could be opened. This rule also decides what is
 * charged.
 */
export function skipReason(
  extractor: Pick<Extractor, 'id' | 'requires' | 'takesAnything'>,
  media: Media,
  opened = { video: true, sound: media.audio.length > 0 },
): SkipReason | null {
  const { id, requires, takesAnything = false } = extractor
  if (media.kind === 'document' && id === 'ffprobe') return null
  if (media.kind === 'document' || media.kind === 'other') {
    return { code: 'unsupported_source', message: 'This file has no video or audio.' }
  }
  const isStill = media.kind === 'image'
  if (isStill) return takesAnything ? null : noVideo
  const hasVideo = media.kind === 'video' && opened.video
  if (requires.includes('video') && !hasVideo) return noVideo
  if (requires.includes('sound') && !opened.sound) return { code: 'no_audio', message: 'No audio.' }
  return hasVideo || opened.sound || takesAnything ? null : noVideo
}

const noVideo: SkipReason = { code: 'no_video', message: 'No video.' }
