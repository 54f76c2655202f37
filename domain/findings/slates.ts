/** Reads a slate for the clips after it: their name, and its fields in words. */
import type { Slate } from './findings.ts'

type Fields = Pick<Slate, 'scene' | 'take' | 'roll' | 'camera' | 'date' | 'timecode'>

export const slateFields = ['scene', 'take', 'roll', 'camera', 'date', 'timecode'] as const
export type SlateField = (typeof slateFields)[number]

/** `12A-3`, or `12A-3-A` where the camera is known; null without a scene: a take names nothing. */
export function clipNameOf(fields: Pick<Fields, 'scene' | 'take' | 'camera'>): string | null {
  if (!fields.scene) return null
  const parts = [fields.scene.text, fields.take?.text, fields.camera?.text]
  return parts.filter((part) => part !== undefined).join('-')
}

/** "scene 12A, take 3, roll A004" */
export function slateText(fields: Fields): string {
  return slateFields
    .flatMap((field) => (fields[field] ? [`${field} ${fields[field].text}`] : []))
    .join(', ')
}

/** The slate that a range belongs to: the last one that starts before the range ends. */
export function slateBefore(slates: readonly Slate[], endFrame: number): Slate | null {
  return slates.findLast((slate) => slate.start_frame < endFrame) ?? null
}
