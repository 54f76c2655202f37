import type { ExportOptions } from '../../contract/footage/export-options.ts'
import type { Media } from '../../domain/findings/findings.ts'
import { oneLine, stemOf } from './names.ts'
import { reelName } from './reel-name.ts'
import type { Source } from './timeline.ts'

type Known = Pick<Source, 'contentId' | 'path' | 'offline' | 'media' | 'grid'> &
  Partial<Pick<Source, 'fileGrid' | 'clock' | 'conformed'>>

/** `reels`: those that other sources of the timeline have. */
export function makeSource(
  name: string,
  known: Known,
  options: Pick<ExportOptions, 'audio' | 'full_reel' | 'reel'>,
  reels = new Set<string>(),
): Source {
  const { media, grid } = known
  const audio = audioOf(media, options.audio)
  const reel = options.reel ?? media.reel
  return {
    fileGrid: grid,
    clock: null,
    conformed: false,
    ...known,
    name,
    reel: uniqueReel(reel ?? stemOf(name), options.full_reel, reels),
    tape: oneLine(reel ?? '') || stemOf(name),
    hasVideo: media.kind === 'video',
    audio,
    channels: audio.reduce((sum, track) => sum + track.channels, 0),
  }
}

/** Sound is all there is of an audio file, so it cannot be left out there. */
function audioOf(media: Media, isWanted: boolean): Media['audio'] {
  return isWanted || media.kind === 'audio'
    ? media.audio.filter(({ channels }) => channels > 0)
    : []
}

/** Two cards may hold the same name: the second reel ends in a number. */
function uniqueReel(name: string, full: boolean, taken: Set<string>): string {
  const reel = reelName(name, full)
  let free = reel
  for (let number = 2; taken.has(free.toUpperCase()); number++) {
    const ending = `_${number}`
    free = `${reel.slice(0, (full ? 64 : 8) - ending.length)}${ending}`
  }
  taken.add(free.toUpperCase())
  return free
}
