import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { TalkingFindings } from '../../domain/findings/findings.ts'
import { clipFolder, makeClip } from '../clips.testing.ts'
import { createClock } from '../time/clock.ts'
import { findCutPoints } from './find-cut-points.ts'
import { findTalking } from './find-talking.ts'
import { seeded } from '../../test/support/random.ts'

const seconds = 16
const clock = createClock({ rate: { num: 25n, den: 1n }, frames: seconds * 25 })
const unhurried = seeded(7)

/** How wide the mouth is open at each 12.5th of a second: speech from 2 s to 12 s, else closed. */
const mouth = Array.from({ length: seconds * 12.5 }, (_, at) => {
  const isSpeaking = at >= 25 && at < 150
  return isSpeaking ? 0.02 + 0.25 * unhurried() : 0.02
})
/** Wide and in slow motion: too few turns to be plain speech. */
const slowMouth = mouth.map((_, at) => {
  const from = 25 + Math.floor(at / 8)
  const share = (at % 8) / 8
  return 3 * (mouth[from]! + share * (mouth[from + 1]! - mouth[from]!))
})

function facesOf(gaps: number[]) {
  const frames = gaps.map((_, at) => at * 2)
  return {
    sampled: frames,
    tracks: [{ face: 'face-1', frames, gaps, eyes: gaps.map(() => 120) }],
  }
}

/** Sound whose loudness follows the mouth, `late` seconds afterwards. */
function voiceOf(late: number, gaps = mouth): Int16Array {
  const noise = seeded(3)
  return Int16Array.from({ length: seconds * 16_000 }, (_, at) => {
    const open = gaps[Math.round(((at / 16_000 - late) * 12.5 + gaps.length) % gaps.length)] ?? 0.02
    return (noise() - 0.5) * 50_000 * Math.max(0, open - 0.02)
  })
}

function vadOf(from: number, to: number): Float32Array {
  const vad = new Float32Array(Math.ceil((seconds * 16_000) / 512))
  return vad.fill(0.9, Math.round((from * 16_000) / 512), Math.round((to * 16_000) / 512))
}

async function talk(t: TestContext, samples: Int16Array, vad: Float32Array, gaps = mouth) {
  const audioFile = path.join(await clipFolder(t), 'a.s16')
  await writeFile(audioFile, new Uint8Array(samples.buffer, 0, samples.byteLength))
  return TalkingFindings.parse(
    await findTalking({
      ...{ clock, vad, audioFile, samples: samples.length },
      faces: facesOf(gaps),
    }),
  )
}

test('a voice with moving lips is someone talking, and no lip flap', async (t) => {
  const findings = await talk(t, voiceOf(0), vadOf(2, 12))
  assert.deepEqual(findings.lip_flap, [])
  assert.equal(findings.sound_delay_seconds, null)
  assert.equal(findings.lip_sync, 'in_sync')
  assert.equal(findings.talking.length, 1)
  assert.equal(findings.talking[0]?.face, 'face-1')
  assert.ok(findings.talking[0].start < 2.6 && findings.talking[0].end > 11.4)
  assert.ok((findings.faces[0]?.talking_seconds ?? 0) > 8.5)
})

test('muted sound makes the same lips a lip flap', async (t) => {
  const findings = await talk(t, new Int16Array(seconds * 16_000), vadOf(0, 0))
  assert.deepEqual(findings.talking, [])
  assert.equal(findings.lip_flap.length, 1)
  assert.ok(findings.lip_flap[0]!.end - findings.lip_flap[0]!.start > 8)
  assert.equal(findings.lip_flap[0]!.start_frame, clock.frameAt(findings.lip_flap[0]!.start))
  assert.equal(findings.silence.length, 1)
})

test('a voice that follows the lips seconds late is a lip flap, however unbroken it is', async (t) => {
  const findings = await talk(t, voiceOf(2), vadOf(0, 16))
  assert.ok(findings.lip_flap.some((span) => span.end - span.start > 8))
  assert.ok(Math.abs((findings.sound_delay_seconds ?? 0) - 2) <= 0.12)
})

test('half a second early or late is reported as well, and nobody is said to talk', async (t) => {
  for (const late of [-0.5, 0.5]) {
    const findings = await talk(t, voiceOf(late), vadOf(2, 12))
    assert.ok(Math.abs((findings.sound_delay_seconds ?? 0) - late) <= 0.12)
    assert.ok(findings.lip_flap.some((span) => span.end - span.start > 8))
    assert.equal(findings.lip_sync, 'out_of_sync')
    assert.deepEqual(findings.talking, [])
  }
})

test('lips that move too slowly for plain speech are compared with the sound as well', async (t) => {
  const hear = (late: number) => talk(t, voiceOf(late, slowMouth), vadOf(0, 16), slowMouth)
  assert.equal((await hear(0)).lip_sync, 'in_sync')
  const late = await hear(0.6)
  assert.ok(Math.abs((late.sound_delay_seconds ?? 0) - 0.6) <= 0.12)
  assert.equal(late.lip_sync, 'out_of_sync')
})

test('a second or two of lips is not called in sync, and nobody judges what is not heard', async (t) => {
  const short = mouth.map((gap, at) => (at < 50 ? gap : 0.02))
  const findings = await talk(t, voiceOf(0, short), vadOf(2, 4), short)
  assert.equal(findings.lip_sync, 'unclear')
  const mute = await talk(t, new Int16Array(seconds * 16_000), vadOf(0, 0))
  assert.equal(mute.lip_sync, null)
  const closed = await talk(
    t,
    voiceOf(0),
    vadOf(2, 12),
    mouth.map(() => 0.02),
  )
  assert.equal(closed.lip_sync, null)
})

test('sound that follows the mouth is no lip flap even if no voice is recognised', async (t) => {
  const findings = await talk(t, voiceOf(0), vadOf(0, 0))
  assert.deepEqual(findings.lip_flap, [])
})

test('a voice while the mouth is still is a voice alone', async (t) => {
  const findings = await talk(t, voiceOf(0), vadOf(1, 16))
  const last = findings.voice_only.at(-1)
  assert.ok(last && last.start > 11.5 && last.end === 16, JSON.stringify(findings.voice_only))
})

test('where a voice alone falls silent, silence begins on the very next frame', async (t) => {
  const still = mouth.map(() => 0.02)
  // Heard from 2 s on until shortly before 12 s, which is when the detector lets go.
  const findings = await talk(t, voiceOf(0), vadOf(2, 12), still)
  const [voice] = findings.voice_only
  const end = findings.silence.at(-1)
  assert.equal(findings.voice_only.length, 1)
  assert.ok(Math.abs(end!.start - 12) < 0.1, `silent from ${end!.start}`)
  assert.equal(end!.start_frame, voice!.end_frame)
  assert.equal(findings.speech.at(-1)?.end_frame, voice!.end_frame)
})

test('without a picture nothing is claimed about mouths', async () => {
  const findings = await findTalking({ clock, vad: vadOf(2, 12) })
  assert.equal(findings.speech.length, 1)
  assert.deepEqual(
    [findings.talking, findings.lip_flap, findings.voice_only, findings.faces],
    [[], [], [], []],
  )
})

test('speech and silence end with the sound', async (t) => {
  const folder = await clipFolder(t)
  const audioFile = await makeClip(folder, '-f lavfi -i anullsrc=r=16000 -t 1.013 -f s16le a.s16')
  const short = createClock({ rate: { num: 25n, den: 1n }, frames: 26 })
  // A voice at the start, then nothing.
  const vad = new Float32Array(Math.ceil(16_208 / 512)).fill(0.9, 0, 8)
  const voiced = vad.slice().fill(0.9)
  const heard = await findTalking({ clock: short, vad: voiced, audioFile, samples: 16_208 })
  assert.deepEqual([heard.speech.at(-1)?.end, heard.silence], [16_208 / 16_000, []])
  const findings = await findTalking({ clock: short, vad, audioFile, samples: 16_208 })
  assert.equal(findings.silence.at(-1)?.end, 16_208 / 16_000)
})

test('silence between turns shares no frame with them', async (t) => {
  const folder = await clipFolder(t)
  // Quiet enough to be silence by its level, all the way through.
  const audioFile = await makeClip(folder, '-f lavfi -i anullsrc=r=16000 -t 20 -f s16le a.s16')
  for (const rate of [25n, 24_000n]) {
    const film = createClock({ rate: { num: rate, den: rate === 25n ? 1n : 1001n }, frames: 470 })
    const vad = new Float32Array(625)
    for (const from of [60, 200, 333, 480]) vad.fill(0.9, from, from + 37)
    const findings = await findTalking({ clock: film, vad, audioFile, samples: 320_000 })
    assert.equal(findings.speech.length, 4)
    assert.equal(findings.silence.length, 5)
    for (const silence of findings.silence) {
      for (const speech of findings.speech) {
        const isApart =
          silence.end_frame <= speech.start_frame || silence.start_frame >= speech.end_frame
        assert.ok(isApart, `${silence.start_frame}-${silence.end_frame} and ${speech.start_frame}`)
      }
    }
    const cut = await findCutPoints({ clock: film, vad, audioFile, samples: 320_000 })
    const silent = cut.removals.filter(({ kind }) => kind === 'silence')
    assert.ok(silent.length > 0)
    for (const removal of silent) {
      assert.ok(
        findings.speech.every(
          (speech) =>
            removal.end_frame <= speech.start_frame || removal.start_frame >= speech.end_frame,
        ),
      )
    }
  }
})

test('a pause of less than a second belongs to its turn, and is still a silence', async (t) => {
  const folder = await clipFolder(t)
  const audioFile = await makeClip(folder, '-f lavfi -i anullsrc=r=16000 -t 20 -f s16le a.s16')
  const voiceWithPause = async (pause: number) => {
    const vad = new Float32Array(625)
    vad.fill(0.9, 100, 200)
    vad.fill(0.9, 200 + Math.round((pause * 16_000) / 512), 400)
    return findTalking({ clock, vad, audioFile, samples: 320_000 })
  }
  const short = await voiceWithPause(0.7)
  assert.equal(short.speech.length, 1)
  assert.equal(short.silence.length, 3)
  const [, within] = short.silence
  assert.ok(Math.abs(within!.start - 6.4) < 0.05 && Math.abs(within!.end - 7.1) < 0.05)
  // Not even a frame of the voice: 6.4 s is the start of frame 160.
  assert.deepEqual([within!.start_frame, within!.end_frame], [160, 177])
  const tooShort = await voiceWithPause(0.25)
  assert.deepEqual([tooShort.speech.length, tooShort.silence.length], [1, 2])
  const long = await voiceWithPause(1.2)
  assert.deepEqual([long.speech.length, long.silence.length], [2, 3])
  assert.ok(long.silence[1]!.start_frame >= long.speech[0]!.end_frame)
  assert.ok(long.silence[1]!.end_frame <= long.speech[1]!.start_frame)
})
