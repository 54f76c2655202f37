/**
 * The clips of the engine's benchmark: pieces of the sample clip, cut and dissolved, seen whole or
 * close, with grain, and a voice with known pauses. Made once at full size and lengthened by
 * copying, so that it takes seconds.
 */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const sample = fileURLToPath(new URL('../../../assets/sample.mp4', import.meta.url))

export interface Film {
  name: string
  file: string
  seconds: number
  /** Seconds without a voice between two sentences. */
  pauses: { start: number; end: number }[]
}

export const framesPerSecond = 25

type View = 'whole' | 'left' | 'right' | 'close' | 'mirror'
/** Frames of the sample and how they are seen; `dissolve` is how long it takes the next one in. */
const pieces: readonly { from: number; frames: number; view: View; dissolve?: number }[] = [
  { from: 5, frames: 60, view: 'whole' },
  { from: 105, frames: 45, view: 'whole' },
  { from: 180, frames: 40, view: 'left' },
  { from: 385, frames: 50, view: 'close' },
  { from: 480, frames: 55, view: 'mirror', dissolve: 20 },
  { from: 280, frames: 60, view: 'whole' },
  { from: 110, frames: 30, view: 'close' },
  { from: 480, frames: 35, view: 'right' },
  { from: 10, frames: 60, view: 'mirror', dissolve: 16 },
  { from: 200, frames: 60, view: 'whole' },
  { from: 380, frames: 41, view: 'mirror' },
]
const views: Record<View, string> = {
  whole: 'null',
  left: 'crop=iw/2:ih/2:0:ih/4',
  right: 'crop=iw/2:ih/2:iw/2:ih/4',
  close: 'crop=iw*0.4:ih*0.4:iw*0.3:ih*0.2',
  mirror: 'hflip',
}
const sentences = [
  'Every frame counts, and the light was right.',
  'Then somebody opened a door behind us.',
  'We cut there, where the breath ends.',
  'Nobody asked for a second take that day.',
  'The words were clear and the room was quiet.',
]
const pauseSeconds = [0.8, 0.5, 1.2, 0.7, 0.9]

/** Films of several sizes and lengths; the voice goes on through all of them. */
export async function makeFilms(
  folder: string,
  wanted: readonly { name: string; height: number; seconds: number }[],
): Promise<Film[]> {
  const voice = await makeVoice(folder)
  const master = path.join(folder, 'master.mp4')
  await makeMaster(master)
  const films: Film[] = []
  for (const { name, height, seconds } of wanted) {
    const once = path.join(folder, `once-${height}.mp4`)
    const size = `scale=-2:${height}:flags=bilinear,setsar=1,noise=alls=4:allf=t,format=yuv420p`
    const encode = ['-c:v', 'libx264', '-preset', 'superfast', '-crf', '25', '-g', '50']
    await ffmpeg(['-i', master, '-vf', size, '-an', ...encode, once])
    const file = path.join(folder, `${name}.mp4`)
    await ffmpeg([
      ...['-stream_loop', '-1', '-i', once, '-stream_loop', '-1', '-i', voice.file],
      ...['-map', '0:v', '-map', '1:a', '-c:v', 'copy', '-c:a', 'aac', '-b:a', '128k'],
      ...['-t', String(seconds), file],
    ])
    films.push({ name, file, seconds, pauses: pausesOf(seconds, voice) })
  }
  return films
}

/** All pieces at the sample's own size, which is quick to make. */
async function makeMaster(file: string): Promise<void> {
  const labels = pieces.map((_, at) => `[s${at}]`).join('')
  const seen = pieces.map(
    ({ from, frames, view }, at) =>
      `[s${at}]trim=start_frame=${from}:end_frame=${from + frames},settb=1/${framesPerSecond},` +
      `setpts=N,${views[view]},scale=960:540:flags=bilinear,setsar=1[p${at}]`,
  )
  const groups: string[] = []
  const joins: string[] = []
  for (let at = 0; at < pieces.length; at++) {
    const { dissolve, frames = 0 } = pieces[at] ?? {}
    if (dissolve === undefined) {
      groups.push(`[p${at}]`)
      continue
    }
    const seconds = (count: number): string => (count / framesPerSecond).toFixed(6)
    joins.push(
      `[p${at}][p${at + 1}]xfade=transition=fade:duration=${seconds(dissolve)}:` +
        `offset=${seconds(frames - dissolve)}[x${at}]`,
    )
    groups.push(`[x${at}]`)
    at++
  }
  const end = `${groups.join('')}concat=n=${groups.length}[v]`
  const graph = [`[0:v]split=${pieces.length}${labels}`, ...seen, ...joins, end].join(';')
  const encode = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '14']
  await ffmpeg(['-i', sample, '-filter_complex', graph, '-map', '[v]', '-an', ...encode, file])
}

interface Voice {
  file: string
  seconds: number
  pauses: { start: number; end: number }[]
}

/** Sentences with a room behind them that gets louder in the second half. */
async function makeVoice(folder: string): Promise<Voice> {
  const inputs: string[] = []
  const parts: string[] = []
  const pauses: Voice['pauses'] = []
  let at = 0
  for (const [index, sentence] of sentences.entries()) {
    const said = path.join(folder, `said-${index}.wav`)
    await execute('espeak-ng', ['-v', 'en-us', '-s', '150', '-w', `${said}.raw.wav`, sentence])
    const edge = 'silenceremove=start_periods=1:start_threshold=-45dB'
    const both = `${edge},areverse,${edge},areverse,aresample=48000`
    await ffmpeg(['-i', `${said}.raw.wav`, '-af', both, said])
    const pause = pauseSeconds[index] ?? 1
    const length = await secondsOf(said)
    pauses.push({ start: at + length, end: at + length + pause })
    inputs.push('-i', said)
    parts.push(`[${index}]apad=pad_dur=${pause}[a${index}]`)
    at += length + pause
  }
  const names = sentences.map((_, index) => `[a${index}]`).join('')
  const level = `if(lt(t,${(at / 2).toFixed(3)}),0.05,0.6)`
  const room = `anoisesrc=c=pink:a=0.02:r=48000:d=${at.toFixed(3)}:seed=7,volume='${level}':eval=frame`
  const file = path.join(folder, 'voice.wav')
  const mix = `${names}concat=n=${sentences.length}:v=0:a=1[said];${room}[room];[said][room]amix=normalize=0`
  await ffmpeg([...inputs, '-filter_complex', [...parts, mix].join(';'), file])
  return { file, seconds: at, pauses }
}

function pausesOf(seconds: number, voice: Voice): Film['pauses'] {
  const turns = Math.ceil(seconds / voice.seconds)
  return Array.from({ length: turns }, (_, turn) =>
    voice.pauses.map((pause) => ({
      start: pause.start + turn * voice.seconds,
      end: pause.end + turn * voice.seconds,
    })),
  )
    .flat()
    .filter((pause) => pause.end <= seconds)
}

async function secondsOf(file: string): Promise<number> {
  const asked = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', file]
  return Number((await execute('ffprobe', asked)).stdout)
}

async function ffmpeg(args: string[]): Promise<void> {
  await execute('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args])
}
