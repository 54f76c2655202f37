/**
 * `npm run bench -- engine [seconds]`: what the engine costs, on a clip that it makes itself. CPU
 * time of whole commands, each as a ratio to a limit or a peer measured in the same run:
 * - shots against decoding the same file and nothing else (target ≤ 1.2), beside ffmpeg's scdet;
 * - the six extractors together against the sum of what each costs alone, with the shared decode
 *   counted once (target ≤ 1.15);
 * - transcription against real time on one core (target ≥ 1).
 * Rounds alternate, so that whatever else the machine does weighs on all alike.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { extractors } from '../../engine/extractors/registry.ts'
import { cpuOf } from './cpu.ts'

const execute = promisify(execFile)
const command = fileURLToPath(new URL('../../engine/analyse-command.ts', import.meta.url))
const text =
  'Every frame counts. The light was right, the words were clear, and then somebody opened a door. ' +
  'We cut there, and we cut again where the breath ends. That is the whole craft, said the editor.'

export async function run(args: string[] = []): Promise<void> {
  const seconds = Number(args[0] ?? 60)
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bench-engine-'))
  try {
    const clip = await makeFilm(folder, seconds)
    await benchShots(clip)
    await benchTogether(clip, seconds)
    await benchSilence(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function benchShots(clip: string): Promise<void> {
  const decode = ['-v', 'error', '-nostdin', '-i', clip, '-map', '0:v:0', '-f', 'null', '-']
  const scdet = [
    '-v',
    'error',
    '-nostdin',
    '-i',
    clip,
    '-map',
    '0:v:0',
    '-vf',
    'scdet',
    '-f',
    'null',
    '-',
  ]
  const sums = { decode: 0, shots: 0, scdet: 0 }
  for (let round = 0; round < 3; round++) {
    sums.decode += await cpuOf('ffmpeg', decode)
    sums.shots += await cpuOf(process.execPath, [command, clip, '--extractors', 'shots'])
    sums.scdet += await cpuOf('ffmpeg', scdet)
  }
  print('shots ÷ decode only', sums.shots / sums.decode, '≤ 1.2')
  print('ffmpeg scdet ÷ decode only', sums.scdet / sums.decode)
  print('shots ÷ ffmpeg scdet', sums.shots / sums.scdet)
}

async function benchTogether(clip: string, seconds: number): Promise<void> {
  const ids = extractors.map((extractor) => extractor.id)
  const alone: Record<string, number> = {}
  for (const id of ids) {
    alone[id] = await cpuOf(process.execPath, [command, clip, '--extractors', id])
  }
  const together = await cpuOf(process.execPath, [command, clip])
  // What every run pays: starting, probing, and (but for ffprobe) decoding the same media.
  const start = alone.ffprobe ?? 0
  const decode = await cpuOf('ffmpeg', ['-v', 'error', '-nostdin', '-i', clip, '-f', 'null', '-'])
  const shared = start + decode
  const own = ids.map((id) => (id === 'ffprobe' ? 0 : Math.max(0, (alone[id] ?? 0) - shared)))
  const sum = shared + own.reduce((total, one) => total + one, 0)
  for (const id of ids)
    console.log(`  ${id} alone: ${((alone[id] ?? 0) / seconds).toFixed(3)} × real time`)
  print('all together ÷ their own CPU with one decode', together / sum, '≤ 1.15')
  const apart = ids.reduce((total, id) => total + (alone[id] ?? 0), 0)
  print('all together ÷ one after the other', together / apart)
  const speech = Math.max(0.001, (alone.transcription ?? 0) - start)
  print('real time ÷ transcription on one core', seconds / speech, '≥ 1')
}

/** Silence, noise and music must give no words. */
async function benchSilence(folder: string): Promise<void> {
  const sounds = {
    silence: 'anullsrc=r=48000',
    noise: 'anoisesrc=a=0.2:r=48000',
    music: "aevalsrc='0.2*sin(2*PI*220*t)*(1+sin(2*PI*2*t))+0.1*sin(2*PI*330*t)':s=48000",
  }
  for (const [name, source] of Object.entries(sounds)) {
    const file = path.join(folder, `${name}.wav`)
    await execute('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', source, '-t', '20', file])
    const words = ['--extractors', 'transcription', '--json']
    const { stdout } = await execute(process.execPath, [command, file, ...words])
    const found = JSON.parse(stdout) as { transcription: { words: unknown[] } }
    print(`words in 20 s of ${name}`, found.transcription.words.length, '0')
  }
}

/** 1080p with cuts, a moving camera and speech, encoded as a camera would. */
async function makeFilm(folder: string, seconds: number): Promise<string> {
  const voice = path.join(folder, 'voice.wav')
  await execute('espeak-ng', ['-w', voice, '-s', '150', text])
  const film = path.join(folder, 'film.mp4')
  const sources = [
    'mandelbrot=s=1920x1080:r=25',
    'testsrc2=s=1920x1080:r=25',
    'gradients=s=1920x1080:r=25',
  ]
  const parts = sources.map(
    (_, at) => `[${at}]trim=end=4,setpts=PTS-STARTPTS,format=yuv420p[p${at}]`,
  )
  const graph = `${parts.join(';')};[p0][p1][p2]concat=n=3,noise=alls=6:allf=t[v]`
  const one = path.join(folder, 'one.mp4')
  const inputs = sources.flatMap((source) => ['-f', 'lavfi', '-i', source])
  const encode = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '22', '-g', '50']
  await execute('ffmpeg', [
    '-v',
    'error',
    ...inputs,
    '-filter_complex',
    graph,
    '-map',
    '[v]',
    ...encode,
    one,
  ])
  const loops = ['-stream_loop', '-1', '-i', one, '-stream_loop', '-1', '-i', voice]
  const copy = ['-map', '0:v', '-map', '1:a', '-c:v', 'copy', '-c:a', 'aac', '-t', String(seconds)]
  await execute('ffmpeg', ['-v', 'error', ...loops, ...copy, film])
  return film
}

function print(name: string, value: number, target?: string): void {
  console.log(`${name}: ${value.toFixed(2)}${target ? ` (target ${target})` : ''}`)
}
