/**
 * An export is read back before it is handed out. Each reader knows its format only; what it read
 * is compared here with the timeline that was meant, clip by clip and frame by frame.
 */
import type { Clip, Timeline } from './timeline/timeline.ts'

export interface ReadClip {
  sourceIn: number
  sourceOut: number
  recordIn: number
  recordOut: number
  transition: { start: number; end: number } | null
}

export interface ReadMarker {
  /** On the timeline, from its first frame. */
  start: number
  frames: number
  name: string
}

export interface ReadTimeline {
  recordStart: number
  /** The timecode of the source's first frame; null where the format does not say it. */
  sourceStart: number | null
  dropFrame: boolean | null
  picture: ReadClip[]
  /** One list for each sound track, in order. */
  sound: ReadClip[][]
  markers: ReadMarker[] | null
}

/** A difference is a fault of the exporter, never of the person who asked. */
export function fail(what: string): never {
  throw new Error(`The export did not read back as it was meant: ${what}`)
}

export function expectEqual(what: string, read: unknown, meant: unknown): void {
  if (read !== meant) fail(`${what} is ${String(read)}, meant ${String(meant)}`)
}

export function compareTimeline(
  read: ReadTimeline,
  timeline: Timeline,
  meant: { soundTracks: number; markers?: ReadMarker[] | undefined },
): void {
  const { grid, source } = timeline
  expectEqual('the start of the timeline', read.recordStart, wrap(timeline.recordStart, timeline))
  if (read.sourceStart !== null) {
    expectEqual('the source timecode', read.sourceStart, wrap(grid.startFrame, timeline))
  }
  if (read.dropFrame !== null) expectEqual('drop frame', read.dropFrame, grid.format.dropFrame)
  const picture = source.hasVideo ? timeline.clips : []
  compareClips('picture', read.picture, picture)
  const straight = timeline.clips.map((clip) => ({ ...clip, transition: null }))
  expectEqual('the number of sound tracks', read.sound.length, meant.soundTracks)
  read.sound.forEach((track, index) => compareClips(`sound ${index + 1}`, track, straight))
  if (meant.markers) compareMarkers(read.markers ?? [], meant.markers)
}

function compareClips(what: string, read: ReadClip[], meant: Clip[]): void {
  expectEqual(`the number of ${what} clips`, read.length, meant.length)
  meant.forEach((clip, index) => {
    const got = read[index]!
    const name = `${what} clip ${index + 1}`
    expectEqual(`${name}: source in`, got.sourceIn, clip.sourceIn)
    expectEqual(`${name}: source out`, got.sourceOut, clip.sourceOut)
    expectEqual(`${name}: record in`, got.recordIn, clip.recordIn)
    expectEqual(`${name}: record out`, got.recordOut, clip.recordOut)
    expectEqual(`${name}: transition start`, got.transition?.start, clip.transition?.start)
    expectEqual(`${name}: transition end`, got.transition?.end, clip.transition?.end)
    if (index > 0) expectEqual(`${name}: meets the last`, got.recordIn, read[index - 1]!.recordOut)
  })
}

export function compareMarkers(read: ReadMarker[], meant: ReadMarker[]): void {
  expectEqual('the number of markers', read.length, meant.length)
  meant.forEach((marker, index) => {
    const got = read[index]!
    expectEqual(`marker ${index + 1}: frame`, got.start, marker.start)
    expectEqual(`marker ${index + 1}: length`, got.frames, marker.frames)
    expectEqual(`marker ${index + 1}: name`, got.name, marker.name)
  })
}

function wrap(frame: number, timeline: Timeline): number {
  return frame % timeline.grid.format.framesPerDay
}
