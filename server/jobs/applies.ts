/** Which extractors have something to look at in a medium. The engine decides again when it runs. */
import type { ExtractorId } from '../../contract/catalogue.ts'
import type { Media } from '../../contract/findings.ts'
import type { RefusalCode } from '../../contract/refusal.ts'

export function appliesTo(extractor: ExtractorId, media: Media): boolean {
  const hasSound = media.audio.length > 0
  const isTimed = media.kind === 'video' || media.kind === 'audio'
  switch (extractor) {
    case 'ffprobe':
      return true
    case 'thumbnail':
      return media.kind === 'video' || media.kind === 'image' || media.kind === 'audio'
    case 'shots':
      return media.kind === 'video'
    case 'transcription':
      return isTimed && hasSound
    case 'talking':
    case 'cutpoints':
      return isTimed
  }
}

/** Why it does not apply, for the warning of a skipped extractor. */
export function skipReason(
  extractor: ExtractorId,
  media: Media,
): { code: RefusalCode; message: string } {
  if (extractor === 'transcription' && media.kind === 'video') {
    return { code: 'no_audio', message: 'There is no audio track to listen to.' }
  }
  return {
    code: 'no_video',
    message: `This needs moving picture or sound; it is ${a(media.kind)}.`,
  }
}

function a(kind: Media['kind']): string {
  if (kind === 'other') return 'a file without media'
  return kind === 'audio' || kind === 'image' ? `an ${kind} file` : `a ${kind}`
}
