import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { sourceClock, spanFrames } from '../../domain/cuts/cut-times.ts'
import { rational, toNumber } from '../../domain/time/rational.ts'
import { knownFrameTimes } from '../../domain/time/source-times.ts'
import { analyse } from '../analyse.ts'
import { clipFolder, makeClip } from '../clips.testing.ts'

const h264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p'
const image = (rate = '25', seconds = 1) => `-f lavfi -i testsrc2=s=320x180:r=${rate}:d=${seconds}`
const sound = (seconds = 1, rate = 48_000) => `-f lavfi -i sine=d=${seconds}:r=${rate}`

test('of plain media nothing is said against conforming', async (t) => {
  const notes = await conformOf(
    t,
    `${image()} ${sound()} ${h264} -timecode 01:00:00:00 -c:a pcm_s16le plain.mov`,
  )
  assert.deepEqual(notes, ['ok conforms'])
})

test('oddities of time, picture and sound are reported, the worst first', async (t) => {
  const notes = await conformOf(
    t,
    `${image('13', 2)} ${image('13', 2)} ${sound(4, 44_100)} ${sound(4, 44_100)}
      -map 0 -map 1 -map 2 -map 3 -vf setsar=4/3 ${h264} -c:a pcm_s16le odd.mov`,
  )
  assert.deepEqual(notes, [
    'warning unusual_rate',
    'warning audio_longer',
    'note no_timecode',
    'note several_video_tracks',
    'note pixel_aspect',
    'note several_audio_tracks',
    'note sample_rate',
  ])
})

test('a variable rate, a non-drop timecode and missing sound are reported', async (t) => {
  const drop = 'select=not(eq(mod(n\\,7)\\,3))'
  const notes = await conformOf(
    t,
    `${image('30000/1001', 3)} -vf ${drop} -vsync vfr ${h264} -timecode 01:00:00:00 uneven.mov`,
  )
  assert.deepEqual(notes, ['warning variable_frame_rate', 'note non_drop', 'note no_audio'])
})

test('a range of a cut lasts as long as the frames of a variable clip do', async (t) => {
  const folder = await clipFolder(t)
  // 25 frames in the first second, then one of ten.
  const slow = 'select=lt(n\\,25)+not(mod(n\\,10))'
  const file = await makeClip(folder, `${image('25', 16)} -vf ${slow} -fps_mode vfr ${h264} a.mp4`)
  const workDir = path.join(folder, 'work')
  const { findings, media } = await analyse({ file, workDir, extractors: ['ffprobe'] })
  assert.equal(media?.variable_frame_rate, true)
  const frame_times = knownFrameTimes({ ...findings, media })
  const clock = sourceClock({ content_id: '', media, frame_times })
  assert.equal(toNumber(clock(20)), 0.8)
  assert.equal(spanFrames(rational(25), clock, { in: 0, out: 25 }), 30)
  assert.equal(spanFrames(rational(25), clock, { in: 10, out: 20 }), 10)
})

test('interlaced pictures and sound that starts late are reported', async (t) => {
  const notes = await conformOf(
    t,
    `${image('25', 2)} -itsoffset 0.5 ${sound(1)} -vf setfield=tff -flags +ildct+ilme
      -c:v mpeg2video -c:a pcm_s16le -timecode 01:00:00:00 fields.mov`,
  )
  assert.deepEqual(notes, ['note interlaced', 'note audio_offset'])
})

test('a text that was cut says where', async (t) => {
  const folder = await clipFolder(t)
  const file = path.join(folder, 'long.txt')
  await writeFile(file, 'word '.repeat(450_000))
  const { findings } = await analyse({ file, workDir: folder, extractors: ['ffprobe'] })
  const notes = findings.ffprobe!.conform
  assert.deepEqual(
    notes.map(({ code, message }) => [code, message.replace(/\d+/, 'N')]),
    [['text_cut', 'The text was cut at page N.']],
  )
})

async function conformOf(t: TestContext, words: string): Promise<string[]> {
  const folder = await clipFolder(t)
  const file = await makeClip(folder, words)
  const workDir = path.join(folder, 'work')
  const { findings } = await analyse({ file, extractors: ['ffprobe'], workDir })
  return (findings.ffprobe?.conform ?? []).map(({ severity, code }) => `${severity} ${code}`)
}
