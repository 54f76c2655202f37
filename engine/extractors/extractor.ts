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
import type { SpriteGrid } from '../pass/plan.ts'

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
  /**
   * The media's frame for each frame of the clock if some frames could not be decoded; else null.
   */
  places: Int32Array | null
  changes: Detection | null
  sound: { file: string; samples: number } | null
  /** The sound with the voices: all microphones if each speaker has one, else `sound`. */
  speech: { file: string; samples: number } | null
  /** Voice activity in `speech`. */
  voice: Float32Array | null
  microphones: HeardMicrophones | null
  /** The audio track (0-based) used because the chosen one has no voice; else null. */
  spokenTrack: number | null
  /** Words that other workers recognised in `speech`; null if they are still to be recognised. */
  hearings: readonly Hearing[] | null
  /** Voice turns that parts of the film described, to tell speakers apart; else null. */
  turns: readonly VoiceTurn[] | null
  faces: FaceTracks | null
  text: { readings: TextReadings; motion: BlockMotion } | null
  files: PassFiles | null
  /** Findings of other extractors, of this run or an earlier one, on `clock`. */
  findings: Partial<Findings>
  faults: Faults
}

/** Why a need could not be met; each extractor that requires it fails with this error. */
export type Faults = Partial<Record<Need, Error>>

/** A part of the proxy's frames, half open and on the clock of the range; in the folder. */
export interface ProxyPiece {
  file: string
  startFrame: number
  endFrame: number
}

export interface PassFiles {
  proxy: string | null
  /** Pieces that the proxy was joined from; the extractor that reads their frames deletes them. */
  pieces?: readonly ProxyPiece[]
  sprite: (SpriteGrid & { names: string[] }) | null
  waveform: { file: string; peaksPerSecond: number; count: number } | null
}

export const NoParams = z.strictObject({})
export type NoParams = z.infer<typeof NoParams>

export interface RunOptions {
  signal?: AbortSignal
  /** Upper limit on the paid length; a page of a document counts as a second. */
  maxSeconds?: number
  onProgress?: (part: number) => void
  /** Takes the error of a part that is left out while the rest is kept. */
  onFault?: (fault: string) => void
}

export interface Extractor<Id extends ExtractorId = ExtractorId, Params = unknown> {
  id: Id
  /** Changes whenever the same bytes and parameters may give different findings. */
  version: string
  params: z.ZodType<Params>
  /**
   * True if the findings depend on the speech model, so that another model gives different ones.
   */
  hearsWords?: boolean
  /** Job options that change the findings, in the order in which a version names them. */
  options?: readonly Exclude<keyof PlacedOptions, 'in' | 'out'>[]
  /** The extractor is skipped without these needs; other needs are used if available. */
  requires: readonly ('video' | 'sound')[]
  /** True if the extractor also reads media without frames. */
  takesAnything?: boolean
  needs: readonly Need[]
  /** The share (0 to 1) of the work that is the shared pass; 0.9 by default. */
  passShare?: number
  run(signals: Signals, params: Params, options: RunOptions): Promise<FindingsOf<Id>>
}
