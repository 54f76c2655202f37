/**
 * A film of any length out of the sample clip, and the signals of its parts out of those of a few.
 * A segment is five times the sample to the frame, so the signals of one fit in every place: what
 * grows with the length of a film can be measured without hours of frames and speech.
 */
import { link, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { makeClip } from '../../../engine/clips.testing.ts'
import { spriteGrid } from '../../../engine/extractors/see-frames.ts'
import {
  hearingsName,
  pieceName,
  readAll,
  readFilm,
  readSpeech,
  seenName,
  write,
} from '../../../engine/parts/artifacts.ts'
import type { SpeechGroup } from '../../../engine/parts/artifacts.ts'
import type { SeenPart } from '../../../engine/parts/look-at-part.ts'
import type { Segment } from '../../../engine/parts/plan-film.ts'
import type { Hearing } from '../../../engine/speech/hear-windows.ts'

const sample = resolve(import.meta.dirname, '../../../assets/sample.mp4')
const samplesInSegment = 5
const wholeSegmentSeconds = samplesInSegment * 23
/** Length that the planner is asked for: a little less, so that none is left over. */
export const segmentSeconds = wholeSegmentSeconds - 0.1

/** As many whole segments as come closest to the length. */
export async function makeLoop(
  folder: string,
  minutes: number,
): Promise<{ file: string; minutes: number }> {
  const segments = Math.max(2, Math.round((minutes * 60) / wholeSegmentSeconds))
  const loops = segments * samplesInSegment - 1
  const file = await makeClip(folder, `-stream_loop ${loops} -i ${sample} -c copy film.mp4`)
  return { file, minutes: (segments * wholeSegmentSeconds) / 60 }
}

/** Puts the signals of the parts in `from` into every place of the longer film in `to`. */
export async function repeatPieces(from: string, to: string): Promise<void> {
  const { media, details, segments, hearsWords } = await readFilm(to)
  const seen = await readAll<SeenPart>(from, seenName)
  // A longer film has fewer tiles in each segment.
  const { intervalFrames, tileWidth, tileHeight } = spriteGrid(media, details)
  const bytesOf = ({ startFrame, endFrame }: Segment): number =>
    Math.floor((endFrame - startFrame) / intervalFrames) * tileWidth * tileHeight * 1.5
  for (const [position, { startFrame, endFrame }] of segments.entries()) {
    const part = seen[position % seen.length]!
    if (endFrame - startFrame !== part.endFrame - part.startFrame) {
      throw new Error('Segments differ in length.')
    }
    const moved = await movePart(
      part,
      { startFrame, endFrame },
      async (name, bytes) => {
        if (from === to && startFrame === part.startFrame) return name
        const target = `${position}-${name}`
        if (bytes === undefined) await link(join(from, name), join(to, target))
        else
          await writeFile(join(to, target), (await readFile(join(from, name))).subarray(0, bytes))
        return target
      },
      bytesOf({ startFrame, endFrame }),
    )
    await write(to, pieceName(seenName, position), moved)
  }
  if (!hearsWords) return
  const hearings = (await readAll<Hearing[]>(from, hearingsName)).flat()
  for (const [position, group] of (await readSpeech(to)).groups.entries()) {
    await write(to, pieceName(hearingsName, position), moveHearings(hearings, group))
  }
}

async function movePart(
  part: SeenPart,
  { startFrame, endFrame }: Pick<SeenPart, 'startFrame' | 'endFrame'>,
  place: (name: string, bytes?: number) => Promise<string>,
  tileBytes: number,
): Promise<SeenPart> {
  const by = startFrame - part.startFrame
  return {
    ...part,
    startFrame,
    endFrame,
    frames: part.frames && (await place(part.frames)),
    proxy: part.proxy && (await place(part.proxy)),
    tiles: part.tiles && (await place(part.tiles, tileBytes)),
    faces: part.faces && {
      sampled: part.faces.sampled.map((frame) => frame + by),
      sightings: part.faces.sightings.map((sighting) => ({
        ...sighting,
        frames: sighting.frames.map((frame) => frame + by),
      })),
    },
  }
}

/** Each window says what one of about its length said. */
function moveHearings(hearings: readonly Hearing[], { windows }: SpeechGroup): Hearing[] {
  return windows.map((window) => {
    const length = window.end - window.start
    const off = ({ first }: Hearing): number =>
      Math.abs(first.window.end - first.window.start - length)
    const { first } = hearings.reduce((best, hearing) =>
      off(hearing) < off(best) ? hearing : best,
    )
    return { first: { ...first, window }, second: [] }
  })
}
