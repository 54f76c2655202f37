/**
 * `npm run lab -- lips FOLDER`: talking heads whose sound is in its place, as they are, with the
 * sound moved by 0.6 s, with the voices of others, and mute. No head as it is may be reported.
 */
import { readdir, readFile, writeFile, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FindingsOf } from '../../domain/findings/findings.ts'
import type { Need } from '../../engine/extractors/extractor.ts'
import { gatherSignals } from '../../engine/extractors/gather.ts'
import type { Gathered } from '../../engine/extractors/gather.ts'
import { findTalking } from '../../engine/extractors/find-talking.ts'
import { audioRate } from '../../engine/pass/plan.ts'
import { probe } from '../../engine/probe.ts'
import { createVad } from '../../engine/speech/voice/vad.ts'

interface Head {
  name: string
  seen: Pick<Gathered, 'clock' | 'faces'>
  samples: Int16Array
  seconds: number
}

const movedBySeconds = [-0.6, 0.6]
const maxDelayError = 0.2
/** So many voices of others for each head. */
const otherVoices = 3
const minSpeechSeconds = 1.5

export async function run([folder]: string[]): Promise<void> {
  if (!folder) {
    console.log('Name a folder with talking heads: npm run lab -- lips FOLDER')
    return
  }
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'lips-'))
  const workDir = scratch.path
  const heads: Head[] = []
  for (const name of (await readdir(folder)).sort()) {
    const head = await readHead(path.join(folder, name), workDir)
    if (head) heads.push(head)
  }
  const all = new Tally()
  for (const [at, head] of heads.entries()) {
    const others = Array.from({ length: otherVoices }, (_, next) => {
      const step = Math.ceil(((next + 1) * heads.length) / (otherVoices + 1))
      return heads[(at + step) % heads.length]!
    }).filter((other) => other !== head)
    await judge(head, others, { workDir, all })
  }
  console.log(all.text())
}

/** Reads a head; null if nobody is visible or nobody speaks. */
async function readHead(file: string, workDir: string): Promise<Head | null> {
  const probed = await probe(file)
  if (probed.status !== 'media' || !probed.details.audio || !probed.details.video) return null
  const needs = new Set<Need>(['sound', 'voice', 'faces'])
  const seen = await gatherSignals({ ...probed, file, workDir, needs })
  const spoken = (seen.voice ?? new Float32Array()).filter((voice) => voice >= 0.5).length
  if (!seen.sound || !seen.faces?.tracks.length || (spoken * 512) / audioRate < minSpeechSeconds) {
    return null
  }
  const bytes = await readFile(seen.sound.file)
  const samples = new Int16Array(new Uint8Array(bytes).buffer, 0, bytes.length >> 1)
  return { name: path.basename(file), seen, samples, seconds: probed.media.duration }
}

class Tally {
  heads = { all: 0, reported: 0, inSync: 0, mute: 0 }
  moved = { all: 0, found: 0 }
  /** Counts of runs of at least twelve seconds. */
  long = { all: 0, reported: 0 }
  others = { all: 0, reported: 0, shifts: 0 }

  text(): string {
    const { heads, moved, others, long } = this
    return [
      `${heads.all} heads as they are: ${heads.reported} reported (limit 0), ${heads.inSync} called in sync, the others not judged`,
      `mute: ${heads.mute} of ${heads.all} reported`,
      `moved by 0.6 s: ${moved.found} of ${moved.all} found with their delay`,
      `voices of others: ${others.reported} of ${others.all} reported, ${others.shifts} of them as a delay`,
      `voices of others, from 12 s on: ${long.reported} of ${long.all} reported`,
    ].join('\n')
  }
}

async function judge(
  head: Head,
  others: readonly Head[],
  { workDir, all }: { workDir: string; all: Tally },
): Promise<void> {
  const own = await hear(head, head.samples, workDir)
  const mute = await hear(head, new Int16Array(head.samples.length), workDir)
  all.heads.all += 1
  if (isReported(own)) all.heads.reported += 1
  if (own.lip_sync === 'in_sync') all.heads.inSync += 1
  if (mute.lip_flap.length > 0) all.heads.mute += 1
  const moved: string[] = []
  for (const by of movedBySeconds) {
    const { sound_delay_seconds: delay } = await hear(head, move(head.samples, by), workDir)
    all.moved.all += 1
    if (Math.abs((delay ?? Infinity) - by) <= maxDelayError) all.moved.found += 1
    moved.push(delay?.toFixed(2) ?? 'nothing')
  }
  for (const other of others) {
    const heard = await hear(head, fit(other.samples, head.samples.length), workDir)
    const reported = isReported(heard) ? 1 : 0
    all.others.all += 1
    all.others.reported += reported
    if (typeof heard.sound_delay_seconds === 'number') all.others.shifts += 1
    if (head.seconds < 12) continue
    all.long.all += 1
    all.long.reported += reported
  }
  const delay = own.sound_delay_seconds?.toFixed(2) ?? 'no delay'
  console.log(`${head.name}: ${own.lip_sync}, ${delay}; moved by ±0.6 s: ${moved.join(', ')}`)
}

function isReported(talking: FindingsOf<'talking'>): boolean {
  return talking.lip_sync === 'out_of_sync'
}

async function hear(
  { seen: { clock, faces } }: Head,
  samples: Int16Array,
  workDir: string,
): Promise<FindingsOf<'talking'>> {
  const audioFile = path.join(workDir, 'heard.s16')
  await writeFile(audioFile, samples)
  const voice = createVad()
  await voice.push(samples)
  const vad = await voice.finish()
  return await findTalking({
    ...{ clock, vad, audioFile, samples: samples.length },
    faces: faces ?? undefined,
  })
}

/** Later by so many seconds, or earlier. */
function move(samples: Int16Array, seconds: number): Int16Array {
  const by = Math.round(seconds * audioRate)
  return samples.map((_, at) => samples[at - by] ?? 0)
}

/** Repeated until it is long enough. */
function fit(samples: Int16Array, length: number): Int16Array {
  return Int16Array.from({ length }, (_, at) => samples[at % samples.length] ?? 0)
}
