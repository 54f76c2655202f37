/**
 * `npm run lab -- speakers [FOLDER] [--tune] [--cases=N] [--only=microphones]`: how well voices are
 * separated, beside one speaker for all, then the same with a microphone for each. FOLDER has
 * `voices/speakers` and the meetings of `voices/truth.rttm`. The network never heard every fifth
 * speaker; half of those were tuned with (`--tune` uses them), the report is about the other half.
 *
 * Speaker error: the share of heard speech that the wrong speaker gets. DER adds speech that the
 * voice detection missed or invented, without a collar. A label counts as sure .25 s
 * away from a change: words that touch one are shown as unsure.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { gatherSignals } from '../../engine/extractors/gather.ts'
import type { Need } from '../../engine/extractors/extractor.ts'
import { probe } from '../../engine/probe.ts'
import { createVad } from '../../engine/speech/voice/vad.ts'
import { hearSpeakers } from '../../engine/voices/hear-speakers.ts'
import { listenTo, openVoices, stretchesOf } from '../../engine/voices/describe.ts'
import { isSureSpeaker } from '../../domain/findings/speakers.ts'
import { tellApart, voiceSpans } from '../../engine/voices/tell-apart.ts'
import type { VoiceTurn } from '../../engine/voices/tell-apart.ts'
import { openVoiceModel } from '../../engine/voices/voice-model.ts'
import { makeConversation, readSpeakers } from './made-conversations.ts'
import type { Speaker } from './made-conversations.ts'
import { recordMicrophones } from './made-microphones.ts'
import { compareTurns } from './compare-turns.ts'
import type { Compared } from './compare-turns.ts'
import { percent } from '../print.ts'
import { madeRate, readTurns, readVoices } from '../sound.ts'
import type { Turn } from '../sound.ts'

interface Case extends Compared {
  name: string
  seconds: number
  cpu: number
}

export async function run(args: string[]): Promise<void> {
  const [folder = '../shared/media'] = args.filter((arg) => !arg.startsWith('--'))
  const isTuning = args.includes('--tune')
  const count = Number(args.find((arg) => arg.startsWith('--cases='))?.split('=')[1] ?? 60)
  const speakers = await readSpeakers(
    path.join(folder, 'voices/speakers'),
    (place) => place % 10 === (isTuning ? 4 : 9),
  )
  const ear = await openEar()
  try {
    if (args.includes('--only=microphones')) {
      await judgeMicrophones(speakers, { count, isTuning, ear })
      return
    }
    const several: Case[] = []
    for (let at = 0; at < count; at++) {
      const seed = (isTuning ? 1000 : 900_000) + at
      const { samples, turns } = makeConversation(speakers, 2 + (at % 3), seed)
      several.push(await ear.judge(`made ${at}`, samples, turns))
    }
    report(`conversations of 2 to 4 unseen speakers (${speakers.length} of them)`, several)
    const alone: Case[] = []
    for (const [at, speaker] of speakers.slice(0, Math.ceil(count / 3)).entries()) {
      const { samples, turns } = makeConversation([speaker], 1, 5000 + at)
      alone.push(await ear.judge(`alone ${at}`, samples, turns))
    }
    report('one unseen speaker', alone)
    await judgeMicrophones(speakers, { count: Math.ceil(count / 2), isTuning, ear })
    await judgeMeetings(path.join(folder, 'voices'), ear)
  } finally {
    await ear.close()
  }
}

async function judgeMicrophones(
  speakers: readonly Speaker[],
  { count, isTuning, ear }: { count: number; isTuning: boolean; ear: Ear },
): Promise<void> {
  const byLevel: Case[] = []
  const byVoice: Case[] = []
  let missed = 0
  for (let at = 0; at < count; at++) {
    const seed = (isTuning ? 1000 : 700_000) + at
    const { tracks, mix, turns } = recordMicrophones(speakers, 2 + (at % 3), seed)
    const heard = await ear.judgeTracks(`microphones ${at}`, tracks, turns)
    if (!heard.isByLevel) missed++
    byLevel.push(heard)
    byVoice.push(await ear.judge(`mix ${at}`, mix, turns))
  }
  report('conversations with a microphone for each of 2 to 4 unseen speakers', byLevel)
  console.log(`  taken for a mix: ${missed} of ${count}`)
  report('of the same by voices alone, on the mix', byVoice)
}

interface Ear {
  /** One file with a channel for each track, through the pass. */
  judgeTracks(
    name: string,
    tracks: readonly Int16Array[],
    truth: Turn[],
  ): Promise<Case & { isByLevel: boolean }>
  judge(name: string, samples: Int16Array, truth: Turn[]): Promise<Case>
  close(): Promise<void>
}

async function openEar(): Promise<Ear> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'speakers-'))
  const model = await openVoiceModel()
  return {
    async judge(name, samples, truth) {
      const audioFile = path.join(folder, 'sound.raw')
      await writeFile(
        audioFile,
        new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength),
      )
      const vad = createVad()
      await vad.push(samples)
      const speech = voiceSpans(await vad.finish())
      const before = process.cpuUsage()
      const sound = { audioFile, model }
      const turns = await tellApart(
        speech,
        openVoices(await listenTo(stretchesOf(speech), sound), sound),
      )
      const { user, system } = process.cpuUsage(before)
      const seconds = samples.length / madeRate
      // With a single voice, words get no speaker.
      const isLabelled = new Set(turns.map((turn) => turn.speaker)).size > 1
      const isSure = (turn: VoiceTurn) => isLabelled && isSureSpeaker(turn.confidence)
      const compared = compareTurns(truth, turns, { seconds, isSure })
      return { ...compared, name, seconds, cpu: (user + system) / 1e6 }
    },
    async judgeTracks(name, tracks, truth) {
      const file = await writeTracks(folder, tracks)
      const probed = await probe(file)
      if (probed.status !== 'media') throw new Error(`${file} is ${probed.status}`)
      const needs = new Set<Need>(['sound', 'voice'])
      const before = process.cpuUsage()
      const signals = await gatherSignals({ file, ...probed, workDir: folder, needs })
      const turns = await hearSpeakers({
        audioFile: signals.speech!.file,
        vad: signals.voice!,
        microphones: signals.microphones,
      })
      const { user, system } = process.cpuUsage(before)
      const seconds = tracks[0]!.length / madeRate
      const isSure = (turn: VoiceTurn) => isSureSpeaker(turn.confidence)
      const compared = compareTurns(truth, turns, { seconds, isSure })
      const isByLevel = signals.microphones !== null
      return { ...compared, name, seconds, cpu: (user + system) / 1e6, isByLevel }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

async function writeTracks(folder: string, tracks: readonly Int16Array[]): Promise<string> {
  const channels = tracks.length
  const samples = new Int16Array(tracks[0]!.length * channels)
  for (const [channel, track] of tracks.entries()) {
    for (let at = 0; at < track.length; at++) samples[at * channels + channel] = track[at]!
  }
  const raw = path.join(folder, 'tracks.raw')
  const file = path.join(folder, 'tracks.wav')
  await writeFile(raw, new Uint8Array(samples.buffer))
  await promisify(execFile)('ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-f', 's16le', '-ar', String(madeRate)],
    ...['-ac', String(channels), '-i', raw, file],
  ])
  return file
}

async function judgeMeetings(folder: string, ear: Ear): Promise<void> {
  const truth = await readTurns(path.join(folder, 'truth.rttm'))
  const sounds = await readVoices(folder)
  const meetings: Case[] = []
  for (const [index, name] of [...truth.keys()].sort().entries()) {
    meetings.push(await ear.judge(name, Int16Array.from(sounds[index]!), truth.get(name)!))
  }
  report('meetings', meetings)
  for (const { name, der, derOfOne, voices, expected } of meetings) {
    const verdict = der > derOfOne + 0.0005 ? 'WORSE' : 'not worse'
    console.log(
      `  ${name}: DER ${percent(der)}, one speaker for all ${percent(derOfOne)}: ${verdict}; ${voices} of ${expected} speakers`,
    )
  }
}

function report(title: string, cases: readonly Case[]): void {
  const speech = sum(cases, (result) => result.speech)
  const mean = (value: (result: Case) => number) =>
    sum(cases, (result) => value(result) * result.speech) / speech
  const right = cases.filter((result) => result.voices === result.expected).length
  const sure = sum(cases, (result) => result.sure)
  const wrong = sum(cases, (result) => result.sureWrong)
  const heard = sum(cases, (result) => result.inside)
  const off = cases.filter((result) => result.voices !== result.expected)
  console.log(
    `${cases.length} ${title}, ${(sum(cases, (result) => result.seconds) / 60).toFixed(1)} min:`,
  )
  console.log(
    `  speaker error ${percent(mean((result) => result.confusion))} (one speaker for all: ${percent(mean((result) => result.confusionOfOne))})`,
  )
  console.log(
    `  DER with our voice detection ${percent(mean((result) => result.der))} (one speaker for all: ${percent(mean((result) => result.derOfOne))})`,
  )
  console.log(
    `  number of speakers right in ${percent(right / cases.length)}; wrong: ${off.map((result) => `${result.expected}→${result.voices}`).join(' ')}`,
  )
  console.log(
    `  sure for ${percent(sure / heard)} of the speech, wrong in ${percent(wrong / Math.max(sure, 1e-9))} of that`,
  )
  console.log(
    `  CPU ${(sum(cases, (result) => result.cpu) / sum(cases, (result) => result.seconds)).toFixed(3)} × real time`,
  )
}

function sum<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((total, item) => total + value(item), 0)
}
