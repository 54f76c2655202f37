/** One run of the tool gives the samples that a probe and a second run give. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { clipFolder, makeClip } from '../clips.testing.ts'
import { probe } from '../probe.ts'
import { readKnownSound, readSound } from './read-sound.ts'
import type { OpenSound } from './read-sound.ts'
import { slowUnless } from '../../test/support/slow.ts'

/** Noise in bursts, so that a shift by a sample shows. */
const noise = '-f lavfi -i anoisesrc=d=3:r=48000:seed=7:a=0.5,tremolo=f=3:d=1'
const image = '-f lavfi -i testsrc2=s=64x36:r=25:d=3'
const h264 = '-c:v libx264 -bf 2 -g 25 -c:a aac'

const clips = {
  'a recorder': `${noise} recorder.wav`,
  'sound with a cover': `${noise} -f lavfi -i testsrc2=s=64x64:d=0.04 -map 0 -map 1 -c:a aac -c:v mjpeg -disposition:v attached_pic cover.m4a`,
  'a camera': `${image} ${noise} ${h264} camera.mp4`,
  'PCM in MXF': `${image} ${noise} -c:v mpeg2video -c:a pcm_s16le -ar 48000 camera.mxf`,
  'sound that starts later': `${image} -itsoffset 0.41 ${noise} ${h264} later.mov`,
  'a picture that starts later': `-itsoffset 0.37 ${image} ${noise} ${h264} early.mov`,
  'a picture that starts later in Matroska': `-itsoffset 0.37 ${image} ${noise} ${h264} early.mkv`,
  'a file in fragments': `${image} ${noise} ${h264} -movflags frag_keyframe+empty_moov parts.mp4`,
}

for (const [name, words] of Object.entries(clips)) {
  test(
    `one run places the sound of ${name} as a probe does`,
    slowUnless(name === 'a camera'),
    async (t) => {
      const folder = await clipFolder(t)
      const file = await makeClip(folder, words)
      const probed = await probe(file)
      assert.equal(probed.status, 'media')
      const { media, details } = probed
      const input = { file, media, details, maxSeconds: 2 }
      const atOnce = await readKnownSound({ ...input, to: path.join(folder, 'known.s16') })
      const inTwo = await readSound({ ...input, to: path.join(folder, 'probed.s16') })
      assert.ok(atOnce && inTwo)
      t.after(() => atOnce.close())
      t.after(() => inTwo.close())
      // Matroska counts milliseconds, which versions of the tool round in their own way.
      const tick = name.includes('Matroska') ? 16 : 0
      assert.ok(Math.abs(atOnce.samples - inTwo.samples) <= tick, `${inTwo.samples}`)
      const [lag, likeness] = bestLag(atOnce, inTwo)
      assert.equal(lag, 0)
      assert.ok(likeness > 0.99, `${likeness}`)
      const levels = atOnce.levels.map((level, at) => Math.abs(level - inTwo.levels[at]!))
      assert.ok(Math.max(...levels.slice(1)) < 40, `${Math.max(...levels.slice(1))}`)
    },
  )
}

test('a file whose clock one run cannot settle is left to the probe', async (t) => {
  const folder = await clipFolder(t)
  const whole = await makeClip(folder, `${image} ${noise} ${h264} whole.mkv`)
  const words = {
    'a clock that may jump': `${image} ${noise} ${h264} jumps.ts`,
    'frames before the first key frame': `-i ${path.basename(whole)} -ss 0.5 -c copy -copyinkf cut.mkv`,
    'no sound': `${image} -c:v libx264 mute.mp4`,
  }
  for (const [name, clip] of Object.entries(words)) {
    const file = await makeClip(folder, clip)
    const probed = await probe(file)
    assert.equal(probed.status, 'media')
    const to = path.join(folder, 'known.s16')
    assert.equal(await readKnownSound({ file, media: probed.media, to, maxSeconds: 2 }), null, name)
  }
})

/** The shift at which two sounds are most alike, and how alike they are there. */
function bestLag(item: OpenSound, next: OpenSound): [number, number] {
  const count = Math.min(item.samples, next.samples)
  const [a, b] = [new Float64Array(count), new Float64Array(count)]
  item.read(a, 0, count)
  next.read(b, 0, count)
  const likeness = (lag: number): number => {
    let [both, first, second] = [0, 0, 0]
    for (let at = 100; at < count - 100; at++) {
      const [x, y] = [a[at]!, b[at + lag]!]
      both += x * y
      first += x * x
      second += y * y
    }
    return both / Math.sqrt(first * second)
  }
  const lags = Array.from({ length: 41 }, (_, index) => index - 20)
  const best = lags.reduce((top, lag) => (likeness(lag) > likeness(top) ? lag : top), 0)
  return [best, likeness(best)]
}
