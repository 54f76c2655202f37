import type { Media } from '../domain/findings/findings.ts'

/** In pixels. */
export interface FrameSize {
  width: number
  height: number
}

/** As a player shows it: a turned picture has its sides swapped. */
export function uprightSize(media: Pick<Media, 'width' | 'height' | 'rotation'>): FrameSize | null {
  const { width, height, rotation } = media
  if (!width || !height) return null
  return rotation % 180 === 0 ? { width, height } : { width: height, height: width }
}
