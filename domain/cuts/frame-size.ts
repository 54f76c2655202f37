import type { FrameSize } from './cut.ts'
import type { Media } from '../findings/findings.ts'

/** As a player shows it: a turned picture has its sides swapped. */
export function uprightSize(media: Pick<Media, 'width' | 'height' | 'rotation'>): FrameSize | null {
  const { width, height, rotation } = media
  if (!width || !height) return null
  return rotation % 180 === 0 ? { width, height } : { width: height, height: width }
}
