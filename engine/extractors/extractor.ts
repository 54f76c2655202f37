/**
 * An extractor names the signals that it needs. One pass gathers those of all extractors; then each
 * runs on its own, so that a failure stays with its extractor.
 */
import * as z from 'zod'
import type { PlacedOptions } from '../../domain/job-options.ts'
import type { ExtractorId } from '../../domain/money/catalogue.ts'
import type { Findings, FindingsOf, Media } from '../../domain/findings/findings.ts'
import type { FrameClock } from '../time/clock.ts'
import type { FaceTracks } from '../faces/recognise-faces.ts'
import type { MediaDetails, PlainReport } from '../probe.ts'
import type { Detection } from '../shots/detector.ts'
import type { Hearing } from '../speech/hear-windows.ts'
import type { BlockMotion } from '../text/block-motion.ts'
import type { TextReadings } from '../text/text-process.ts'
import type { VoiceTurn } from '../voices/tell-apart.ts'
import type { HeardMicrophones } from '../voices/microphones.ts'

/**
 * `changes`: the shot detector has seen every frame. `sound`: the samples are in a file. `voice`:
 * voice activity. `faces`: faces and mouths. `text`: text was read. `files`: proxy, sprites and
 * waveform are written.
 */
export type Need = 'changes' | 'sound' | 'voice' | 'faces' | 'text' | 'files'

export interface Signals {
  file: string
  media: Media
  /** Null for images and documents. */
  details: MediaDetails | null
  report: PlainReport | null
  workDir: string
  /** Frame 0 is the first frame of the range; findings move to the media's clock afterwards. */
  clock: FrameClock
  startFrame: number
  /** The media's frame of each frame of the clock where some could not be decoded. */
  places: Int32Array | null
  changes: Detection | null
  sound: { file: string; samples: number } | null
  /** The sound with the voices: all microphones, where each speaker has one, or `sound`. */
  speech: { file: string; samples: number } | null
  /** Voice activity in `speech`. */
  voice: Float32Array | null
  microphones: HeardMicrophones | null
  /** The audio track, 0-based, that was heard in place of one without a voice. */
  spokenTrack: number | null
  /** Words that others have heard in `speech`; null where they are still to be heard. */
  hearings: readonly Hearing[] | null
  /** Turns that parts of the film have described, to tell voices apart. */
  turns: readonly VoiceTurn[] | null
  faces: FaceTracks | null
  text: { readings: TextReadings; motion: BlockMotion } | null
  files: PassFiles | null
  /** Findings of other extractors, of this run or an earlier one, on `clock`. */
  findings: Partial<Findings>
  faults: Faults
}

/** Why a need could not be met; those who named it fail with this. */
export type Faults = Partial<Record<Need, Error>>

/** A part of the proxy's frames, half open and on the clock of the range; in the folder. */
export interface ProxyPiece {
  file: string
  startFrame: number
  endFrame: number
}

export interface PassFiles {
  proxy: string | null
  /** Pieces that the proxy was joined from; whoever takes frames out of them removes them. */
  pieces?: readonly ProxyPiece[]
  sprite: {
    names: string[]
    intervalFrames: number
    tileWidth: number
    tileHeight: number
    columns: number
    rows: number
  } | null
  waveform: { file: string; peaksPerSecond: number; count: number } | null
}

export const NoParams = z.strictObject({})
export type NoParams = z.infer<typeof NoParams>

export interface RunOptions {
  signal?: AbortSignal
  /** The paid length; a page of a document is a second. */
  maxSeconds?: number
  onProgress?: (part: number) => void
  /** Takes the error of a part that is left out while the rest is kept. */
  onFault?: (fault: string) => void
}

export interface Extractor<Id extends ExtractorId = ExtractorId, Params = unknown> {
  id: Id
  /** Changes whenever the same bytes and parameters may give other findings. */
  version: string
  params: z.ZodType<Params>
  /** Its findings rest on what the speech model heard, so another model gives others. */
  hearsWords?: boolean
  /** Those that change its findings, in the order in which a version names them. */
  options?: readonly Exclude<keyof PlacedOptions, 'in' | 'out'>[]
  /** Without these it has nothing to say; other needs are used where they exist. */
  requires: readonly ('video' | 'sound')[]
  /** Reads images and sound without frames too. */
  takesAnything?: boolean
  needs: readonly Need[]
  /** How much of its work is the shared pass; 0.9 where it does not say. */
  passShare?: number
  run(signals: Signals, params: Params, options: RunOptions): Promise<FindingsOf<Id>>
}
