import type { Cut } from '../../contract/footage/cuts.ts'
import type { Media } from '../../domain/findings/findings.ts'

/** Stored with a saved cut, so that a clip stays in it after the clip's deletion. */
export interface SavedSource {
  content_id: string
  name: string
  sha256: string | null
  media: Media
}

export interface CutDocument extends Pick<
  Cut,
  'name' | 'frame_rate' | 'drop_frame' | 'start_timecode' | 'target_seconds' | 'ranges'
> {
  /** Missing in the oldest versions. */
  frame_size?: Cut['frame_size']
  sources: SavedSource[]
  frames: number
}
