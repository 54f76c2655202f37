/**
 * One part of a film, as a worker runs it: what others handed over lies in its folder, and what it
 * hands on is written there. `analyse` with `pieces` joins them all.
 */
import type { PlacedOptions } from '../../domain/job-options.ts'
import { audioFileName, proxySoundName } from '../pass/plan.ts'
import { hearWindows, openRecogniser } from '../speech/hear-windows.ts'
import {
  filmName,
  heardName,
  hearingsName,
  previewName,
  readFilm,
  readHeard,
  readSpeech,
  seenName,
  speechName,
  speechSoundName,
  turnsName,
  writeHeard,
  writeHearings,
  writePreview,
  writeSeen,
  writeSpeech,
  writeTurns,
} from './artifacts.ts'
import { hearSpeakers } from '../voices/hear-speakers.ts'
import { mixFileName } from '../voices/hear-tracks.ts'
import { lengthOf } from './group-speech.ts'
import { encodeProxySound, hearFilm } from './hear-film.ts'
import { lookAtPart } from './look-at-part.ts'
import { previewSpeech } from './preview-speech.ts'

export type PartOrder = { workDir: string } & (
  | { kind: 'sound'; file: string; position: number }
  /** The proxy's sound. */
  | { kind: 'proxy'; file: string; position: number }
  /** The segment with this number. */
  | { kind: 'frames'; file: string; position: number }
  /** The group of windows with this number; who speaks when. */
  | {
      kind: 'speech' | 'voices'
      position: number
      options: PlacedOptions
      modelFolder?: string | undefined
    }
)

export type PartEnd =
  | { end: 'done'; files: string[]; speech: { file: string; seconds: number }[] }
  | { end: 'unlike' }
  | { end: 'stopped' }

type SpeechOrder = Extract<PartOrder, { options: object }>

interface Options {
  signal?: AbortSignal
  onProgress?: (part: number) => void
}

export async function runPart(order: PartOrder, options: Options = {}): Promise<PartEnd> {
  if (order.kind === 'sound') return await runSound(order, options)
  if (order.kind === 'proxy') return await runProxy(order, options)
  if (order.kind === 'frames') return await runFrames(order, options)
  if (order.kind === 'voices') return await runVoices(order, options)
  return await runSpeech(order, options)
}

/** Files of other parts that this part requires in its folder. */
export function neededFiles(part: { kind: PartOrder['kind']; position: number }): string[] {
  if (part.kind === 'speech') return [speechName, speechSoundName(part.position)]
  return part.kind === 'voices' ? [heardName] : [filmName]
}

/** Files of other parts that this part uses if they exist. */
export function offeredFiles({ kind }: { kind: PartOrder['kind'] }): string[] {
  return kind === 'voices' ? [audioFileName, mixFileName] : []
}

async function runSound(
  order: Extract<PartOrder, { kind: 'sound' }>,
  options: Options,
): Promise<PartEnd> {
  const { workDir } = order
  const film = await readFilm(workDir)
  const hearing = await hearFilm(film, { ...order, ...options, leavesProxy: true })
  if (hearing.end !== 'done') return { end: 'stopped' }
  const { heard } = hearing
  await writeHeard(workDir, heard)
  const speech = film.hearsWords ? await writeSpeech(workDir, heard, film.speechSeconds) : null
  const sounds = new Set([heard.sound?.file, heard.speech?.file].map((file) => file && base(file)))
  const named = [...sounds, heard.waveform?.file].filter((name) => Boolean(name))
  const groups = speech?.groups ?? []
  return {
    end: 'done',
    files: [
      heardName,
      ...(named as string[]),
      ...(speech ? [speechName] : []),
      ...groups.map(({ file }) => file),
    ],
    speech: groups.map(({ file, windows }) => ({ file, seconds: lengthOf(windows) })),
  }
}

async function runProxy(
  order: Extract<PartOrder, { kind: 'proxy' }>,
  options: Options,
): Promise<PartEnd> {
  const film = await readFilm(order.workDir)
  if (!(await encodeProxySound(film, { ...order, ...options }))) return { end: 'stopped' }
  return { end: 'done', files: [proxySoundName], speech: [] }
}

async function runFrames(
  order: Extract<PartOrder, { kind: 'frames' }>,
  options: Options,
): Promise<PartEnd> {
  const { file, workDir, position } = order
  const film = await readFilm(workDir)
  const segments = film.segments.slice(position, position + 1)
  const look = await lookAtPart(film, { file, workDir, segments, ...options })
  if (look.end !== 'done') return { end: look.end }
  await writeSeen(workDir, look.part)
  const { frames, proxy, tiles } = look.part
  const named = [frames, proxy, tiles].flatMap((name) => name ?? [])
  return { end: 'done', files: [seenName, ...named], speech: [] }
}

async function runSpeech(order: SpeechOrder, { signal, onProgress }: Options): Promise<PartEnd> {
  const { workDir, options } = order
  const { voice, groups } = await readSpeech(workDir)
  const group = groups[order.position]
  if (!group) throw new RangeError(`There is no group ${order.position} of windows.`)
  const { windows, firstSample } = group
  const audioFile = `${workDir}/${group.file}`
  const recogniser = await openRecogniser({
    maxTasks: windows.length,
    modelFolder: order.modelFolder,
    signal,
  })
  let heard = 0
  try {
    const input = { ...options, audioFile, firstSample, vad: voice }
    const onWindow = (): void => onProgress?.(++heard / windows.length)
    const hearings = await hearWindows(input, windows, recogniser, { onWindow })
    await writeHearings(workDir, hearings)
    await writePreview(workDir, previewSpeech(hearings, { windows, vad: voice }))
  } finally {
    recogniser.close()
  }
  return { end: 'done', files: [hearingsName, previewName], speech: [] }
}

async function runVoices({ workDir, options }: SpeechOrder, { signal }: Options): Promise<PartEnd> {
  const { speech, voice: vad, microphones } = await readHeard(workDir)
  if (!speech || !vad) throw new Error('There is no sound to hear voices in.')
  const { speakers } = options
  const sound = { audioFile: speech.file, vad, microphones, speakers, signal }
  await writeTurns(workDir, await hearSpeakers(sound))
  return { end: 'done', files: [turnsName], speech: [] }
}

function base(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1)
}
