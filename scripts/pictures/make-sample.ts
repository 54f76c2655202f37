/**
 * Makes assets/sample.mp4, the clip behind "Try the sample clip": drawn pictures with slow camera
 * moves and a synthetic voice, so nobody else's rights are in it. Run it again only to change the
 * clip; the result is committed. Needs ffmpeg (with librsvg) and espeak-ng.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { samplePictures } from './sample-pictures.ts'

const out = resolve(import.meta.dirname, '../../assets/sample.mp4')
const rate = 25

/** Pictures in order; the fourth dissolves into the fifth, the last fades to black. */
const scenes = [
  { seconds: 4, picture: 'dawn', move: 'in' },
  { seconds: 3, picture: 'interview', move: 'still' },
  { seconds: 4, picture: 'fog', move: 'pan' },
  { seconds: 4, picture: 'boat', move: 'in' },
  { seconds: 5, picture: 'portrait', move: 'still' },
  { seconds: 4, picture: 'dusk', move: 'pan' },
] as const
const dissolveSeconds = 1

const lines = [
  { at: 0.6, text: 'We never planned the river scene.' },
  { at: 4.3, text: 'We went out at five, um, and waited for the fog.' },
  { at: 9.6, text: 'The boat was an accident. Nobody called it.' },
  { at: 15.2, text: 'That is the shot that everyone remembers.' },
  { at: 19.4, text: 'Cut there, and you are home.' },
]

const dir = mkdtempSync(join(tmpdir(), 'cutindex-sample-'))
try {
  const pictures = scenes.map(({ picture }, index) => {
    const file = join(dir, `picture-${index}.svg`)
    writeFileSync(file, samplePictures[picture])
    return file
  })
  const voices = lines.map((line, index) => {
    const file = join(dir, `line-${index}.wav`)
    execFileSync('espeak-ng', ['-v', 'en-us', '-s', '155', '-w', file, line.text])
    return file
  })
  execFileSync('ffmpeg', [
    ...['-v', 'error', '-y'],
    ...[...pictures, ...voices].flatMap((file) => ['-i', file]),
    ...['-filter_complex', `${pictureGraph()};${soundGraph()}`, '-map', '[v]', '-map', '[a]'],
    ...['-c:v', 'libx264', '-preset', 'slow', '-crf', '26', '-g', '50', '-pix_fmt', 'yuv420p'],
    ...['-c:a', 'aac', '-b:a', '96k', '-ac', '1', '-ar', '48000', '-movflags', '+faststart'],
    ...['-timecode', '01:00:00:00', '-metadata', 'title=CutIndex sample', out],
  ])
} finally {
  rmSync(dir, { recursive: true, force: true })
}

function pictureGraph(): string {
  const moves = {
    in: "z='1.05+0.0008*on':x='iw/2-iw/zoom/2':y='ih/2-ih/zoom/2'",
    pan: "z='1.15':x='(iw-iw/zoom)*on/110':y='(ih-ih/zoom)/2'",
    still: "z='1.02':x='iw/2-iw/zoom/2':y='ih/2-ih/zoom/2'",
  }
  const prepared = scenes.map(
    ({ seconds, move }, index) =>
      `[${index}]zoompan=${moves[move]}:d=${seconds * rate}:s=960x540:fps=${rate},noise=alls=5:allf=t,format=yuv420p,settb=1/${rate},setpts=N[s${index}]`,
  )
  const dissolveAt = scenes[3].seconds - dissolveSeconds
  return [
    ...prepared,
    '[s0][s1][s2]concat=n=3[head]',
    `[s3][s4]xfade=transition=fade:duration=${dissolveSeconds}:offset=${dissolveAt}[middle]`,
    `[s5]fade=t=out:st=${scenes[5].seconds - 1}:d=1[tail]`,
    '[head][middle][tail]concat=n=3[v]',
  ].join(';')
}

function soundGraph(): string {
  const delayed = lines.map(
    (line, index) =>
      `[${scenes.length + index}]adelay=${Math.round(line.at * 1000)}:all=1[l${index}]`,
  )
  const inputs = lines.map((_, index) => `[l${index}]`).join('')
  const seconds = scenes.reduce((sum, scene) => sum + scene.seconds, 0) - dissolveSeconds
  return `${delayed.join(';')};${inputs}amix=inputs=${lines.length}:normalize=0,apad=whole_dur=${seconds},atrim=end=${seconds}[a]`
}
