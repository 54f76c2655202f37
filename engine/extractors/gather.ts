/**
 * Gathers what the chosen extractors need, all from one pass: each need puts its listener on the
 * pass, and what they collected becomes the signals.
 */
import { toNumber } from '../../contract/rational.ts'
import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Media } from '../../contract/findings.ts'
import { createClock } from '../time/clock.ts'
import type { Need, PassFiles, Signals } from './extractor.ts'
import { runPass } from '../pass/run.ts'
import type { PassResult } from '../pass/run.ts'
import { audioRate, textSide, textStep } from '../pass/plan.ts'
import type { SpriteGrid } from '../pass/plan.ts'
import type { MediaDetails } from '../probe.ts'
import { createFaceTracker } from '../faces/tracker.ts'
import { createShotDetector } from '../shots/detector.ts'
import { createVad } from '../speech/voice/vad.ts'
import { createBlockMotion } from '../text/block-motion.ts'
import { openTracks } from '../voices/hear-tracks.ts'
import { createTextReader } from '../text/reader.ts'

export interface GatherInput {
  file: string
  media: Media
  details: MediaDetails
  workDir: string
  needs: ReadonlySet<Need>
  range?: { startFrame: number; endFrame: number }
  maxSeconds?: number
  audioTrack?: number
  signal?: AbortSignal
  onProgress?: (part: number) => void
}

export type Gathered = Pick<
  Signals,
  | 'clock'
  | 'startFrame'
  | 'places'
  | 'changes'
  | 'sound'
  | 'speech'
  | 'voice'
  | 'microphones'
  | 'faces'
  | 'text'
  | 'files'
  | 'faults'
> &
  Pick<PassResult, 'outcome' | 'firstPts'>

const picturedNeeds: readonly Need[] = ['changes', 'faces', 'text', 'files']
const peaksPerSecond = 100
const maxTiles = 1000

export async function gatherSignals(input: GatherInput): Promise<Gathered> {
  const { details, needs, workDir, signal } = input
  const rate = toNumber(details.clock.rate)
  const picture = details.video !== null
  const heard = details.audio !== null
  const detector = picture && needs.has('changes') ? createShotDetector(rate) : null
  const faults: Signals['faults'] = {}
  const faces = guarded('faces', faults, picture && needs.has('faces'), () =>
    createFaceTracker({ signal }),
  )
  const textSize = textPictures(input.media)
  const text = guarded('text', faults, picture && needs.has('text'), () =>
    createTextReader(
      { ...textSize, framesPerSecond: rate, step: textStep(details.clock) },
      { signal },
    ),
  )
  const motion = text.wanted ? createBlockMotion() : null
  const voice = guarded('voice', faults, heard && needs.has('voice'), () => createVad({ signal }))
  const tracks = voice.wanted ? await openTracks(details, input) : null
  const peaks = heard && needs.has('files') ? createPeaks() : null
  const keepAudio = heard && (needs.has('sound') || needs.has('voice'))
  const sprite = picture && needs.has('files') ? spriteGrid(input.media, details) : undefined
  try {
    const pass = await runPass({
      file: input.file,
      details,
      workDir,
      range: input.range,
      maxSeconds: input.maxSeconds,
      audioTrack: input.audioTrack,
      keepAudio,
      ...(tracks ? { tracks: tracks.listeners } : {}),
      signal,
      onProgress: input.onProgress,
      proxy: (picture || heard) && needs.has('files'),
      sprite,
      ...(detector || motion
        ? {
            onFrame(yuv: Uint8Array) {
              detector?.push(yuv)
              motion?.push(yuv)
            },
          }
        : {}),
      ...(text.wanted
        ? {
            text: textSize,
            async onText(gray: Uint8Array, frame: number) {
              await text.use((one) => one.push(gray, frame))
            },
          }
        : {}),
      ...(faces.wanted
        ? {
            async onFace(rgb: Uint8Array, frame: number) {
              await faces.use((one) => one.push(rgb, frame))
            },
          }
        : {}),
      ...(voice.wanted || peaks
        ? {
            async onAudio(samples: Int16Array) {
              peaks?.push(samples)
              await voice.use((one) => one.push(samples))
            },
          }
        : {}),
    })
    const wantsPicture = picturedNeeds.some((need) => needs.has(need))
    if (picture && wantsPicture && pass.pictures === 0) {
      // Findings about pictures that nobody saw would be made up, and paid for.
      const unseen = new Error('No picture of this media can be decoded.')
      for (const need of picturedNeeds) faults[need] ??= unseen
    }
    const [faceTracks, readings, probabilities] = await Promise.all([
      faces.use((one) => one.finish()),
      text.use((one) => one.finish()),
      voice.use((one) => one.finish()),
    ])
    const apart =
      tracks && probabilities && pass.audio ? await tracks.finish(probabilities, signal) : null
    return {
      outcome: pass.outcome,
      firstPts: pass.firstPts,
      clock: pass.pictures > 0 ? pass.clock : plainClock(input, pass),
      startFrame: pass.startFrame,
      places: pass.places,
      changes: detector?.finish() ?? null,
      sound: pass.audio,
      speech: apart?.mix ?? pass.audio,
      voice: apart?.mix?.voice ?? probabilities,
      microphones: apart?.microphones ?? null,
      faces: faceTracks,
      text: readings && motion ? { readings, motion: motion.finish() } : null,
      faults,
      files: needs.has('files')
        ? { proxy: pass.proxyFile, ...(await writeFiles(workDir, sprite, peaks)) }
        : null,
    }
  } finally {
    faces.stop()
    text.stop()
    voice.stop()
    await tracks?.close()
  }
}

/** A model that breaks takes with it only those who need it: the pass goes on. */
function guarded<Model extends { stop(): void }>(
  need: Need,
  faults: Signals['faults'],
  wanted: boolean,
  create: () => Model,
) {
  let model: Model | null = null
  const fail = (error: unknown): null => {
    faults[need] ??= error instanceof Error ? error : new Error(String(error))
    return null
  }
  try {
    if (wanted) model = create()
  } catch (error) {
    fail(error)
  }
  return {
    wanted,
    async use<Value>(work: (model: Model) => Promise<Value>): Promise<Value | null> {
      if (!model || faults[need]) return null
      return await work(model).catch(fail)
    },
    stop: () => model?.stop(),
  }
}

/** Where no picture was decoded, frames are counted from the range's length. */
function plainClock({ details, range, maxSeconds = Infinity }: GatherInput, pass: PassResult) {
  const { clock } = details
  const end = range?.endFrame ?? clock.frames
  const start = toNumber(clock.timeOf(pass.startFrame))
  const last = Math.min(end, clock.frameAt(start + maxSeconds))
  return createClock({ rate: clock.rate, frames: Math.max(1, last - pass.startFrame) })
}

async function writeFiles(
  workDir: string,
  sprite: SpriteGrid | undefined,
  peaks: ReturnType<typeof createPeaks> | null,
): Promise<Pick<PassFiles, 'sprite' | 'waveform'>> {
  const names = (await readdir(workDir)).filter((name) => /^sprite-\d+\.jpg$/.test(name)).sort()
  const bytes = peaks?.finish()
  if (bytes) await writeFile(path.join(workDir, 'waveform.bin'), bytes)
  return {
    sprite: sprite && names.length > 0 ? { names, ...sprite } : null,
    waveform: bytes ? { file: 'waveform.bin', peaksPerSecond, count: bytes.length / 2 } : null,
  }
}

/** Width over height of the picture as it is shown. */
function shapeOf(media: Media): number {
  const turned = media.rotation % 180 !== 0
  const width = (turned ? media.height : media.width) ?? 16
  const height = (turned ? media.width : media.height) ?? 9
  const [num = 1, den = 1] = (media.pixel_aspect ?? '1/1').split('/').map(Number)
  return Math.min(4, Math.max(0.25, (width * num) / (height * den)))
}

/** Large enough for small print, and never larger than the source. */
function textPictures(media: Media): { width: number; height: number } {
  const shape = shapeOf(media)
  const source = Math.max(media.width ?? 16, media.height ?? 16, 64)
  const side = Math.min(textSide, source)
  const even = (value: number): number => Math.max(16, Math.round(value / 2) * 2)
  return shape >= 1
    ? { width: even(side), height: even(side / shape) }
    : { width: even(side * shape), height: even(side) }
}

function spriteGrid(media: Media, details: MediaDetails): SpriteGrid {
  const rate = toNumber(details.clock.rate)
  const seconds = Math.max(0.5, media.duration / maxTiles)
  const shape = shapeOf(media)
  const tileHeight = 90
  return {
    intervalFrames: Math.max(1, Math.round(rate * seconds)),
    tileWidth: Math.max(2, Math.round((tileHeight * shape) / 2) * 2),
    tileHeight,
    columns: 10,
    rows: 10,
  }
}

/** The lowest and the highest sample of each hundredth of a second, as signed bytes. */
function createPeaks() {
  const each = audioRate / peaksPerSecond
  let bytes = new Int8Array(2 * peaksPerSecond * 600)
  let count = 0
  let low = 0
  let high = 0
  let filled = 0
  const close = (): void => {
    if (count * 2 + 2 > bytes.length) {
      const grown = new Int8Array(bytes.length * 2)
      grown.set(bytes)
      bytes = grown
    }
    bytes[count * 2] = low >> 8
    bytes[count * 2 + 1] = high >> 8
    count++
    filled = low = high = 0
  }
  return {
    push(samples: Int16Array): void {
      for (const sample of samples) {
        if (sample < low) low = sample
        if (sample > high) high = sample
        if (++filled === each) close()
      }
    },
    finish(): Int8Array {
      if (filled > 0) close()
      return bytes.slice(0, count * 2)
    },
  }
}
