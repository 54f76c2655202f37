/**
 * Timelines as the test parsers read them out of any format. The parsers here are written from the
 * formats' definitions and share nothing with the exporters, their readers or their timecode.
 */

/** A clip with all the frames in which it takes part, those under its transitions included. */
export interface Edit {
  recordIn: number
  recordOut: number
  sourceIn: number
  sourceOut: number
}

export interface ParsedTimeline {
  /** Timecode of the first frame of source and timeline, as frame numbers. */
  sourceStart: number
  recordStart: number
  dropFrame: boolean
  video: Edit[]
  /** Transitions of the picture, in timeline frames. */
  transitions: [number, number][]
  sound: Edit[][]
  markers: { start: number; frames: number; name: string }[]
}

/** A clip of one of many sources: its first frame by the source's own count. */
export interface SourceEdit {
  /** The path, or in an EDL the reel. */
  source: string
  sourceIn: number
  recordIn: number
  recordOut: number
}

export function pathOf(url: string): string {
  return decodeURIComponent(url.replace(/^file:\/\/(?:localhost)?/, ''))
}
