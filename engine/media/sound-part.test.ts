import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeClip } from '../clips.testing.ts'
import { findSoundOrigin, readSoundPart } from './sound-part.ts'
import { isWholeRun, slow } from '../../test/support/slow.ts'
import { useFolder } from '../../test/support/use.ts'

const folder = useFolder()

/** A click, one sample long, at second 3 of 8. */
const click = `-f lavfi -i aevalsrc=if(eq(n\\,144000)\\,1\\,0):s=48000:d=8`

/** The loudest sample of a part. */
async function loudest(file: string, part: { start: number; seconds: number }) {
  const origin = await findSoundOrigin(file)
  assert.ok(origin)
  const bytes = await readSoundPart(file, origin, part)
  const samples = new Int16Array(bytes.slice().buffer)
  assert.equal(samples.length, Math.round(part.seconds * 48_000))
  let best = 0
  for (const [at, sample] of samples.entries()) {
    if (Math.abs(sample) > Math.abs(samples[best]!)) best = at
  }
  return { at: best, level: Math.abs(samples[best]!) }
}

test('a click stands at its sample, wherever the part begins', async () => {
  const file = await makeClip(folder, `${click} click.wav`)
  for (const start of isWholeRun ? [0, 0.3, 2.5, 2.9, 2.98] : [0.3, 2.98]) {
    const { at, level } = await loudest(file, { start, seconds: 3.1 - start })
    assert.equal(at, Math.round((3 - start) * 48_000), `from ${start}`)
    assert.ok(level > 30_000)
  }
  const { level } = await loudest(file, { start: 7.9, seconds: 1 })
  assert.equal(level, 0, 'silence after the end')
})

test('sound of another rate is on the same clock', slow, async () => {
  const low = click.replace('144000', '48000').replace('s=48000', 's=16000')
  const file = await makeClip(folder, `${low} low.wav`)
  for (const start of [0, 0.05, 2.5, 2.98]) {
    const { at } = await loudest(file, { start, seconds: 3.1 - start })
    assert.ok(Math.abs(at - (3 - start) * 48_000) <= 2, `from ${start}: ${at}`)
  }
})

test('compressed sound beside a picture is on the clock of the picture', slow, async () => {
  const file = await makeClip(
    folder,
    `-f lavfi -i testsrc2=size=64x36:rate=25:duration=8 ${click}
     -c:v libx264 -preset ultrafast -c:a aac -b:a 192k click.mp4`,
  )
  for (const start of [1, 2.5, 2.9]) {
    const { at } = await loudest(file, { start, seconds: 3.2 - start })
    assert.ok(Math.abs(at - (3 - start) * 48_000) <= 2, `from ${start}: ${at}`)
  }
})
