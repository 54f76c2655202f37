import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { clipFolder, makeClip } from '../../engine/clips.testing.ts'
import { frameClock } from './frame-clock.ts'
import { frameSeconds } from './frame-seconds.ts'

/** As the engine writes proxies. */
const asProxy = '-c:v libx264 -preset ultrafast -g 25 -bf 0 -movflags +faststart'

async function viewOf(path: string): Promise<DataView> {
  const { buffer, byteOffset, byteLength } = await readFile(path)
  return new DataView(buffer, byteOffset, byteLength)
}

test('every frame of a variable proxy has its own time', async (t) => {
  const folder = await clipFolder(t)
  // Two seconds at 30 frames a second, then two at 10.
  const file = await makeClip(
    folder,
    `-f lavfi -i testsrc2=s=64x36:r=30:d=4 -f lavfi -i sine=d=4
     -vf select='lt(n\\,60)+not(mod(n\\,3))' -fps_mode passthrough -enc_time_base 1:90000
     ${asProxy} -c:a aac variable.mp4`,
  )
  const seconds = frameSeconds(await viewOf(file))
  assert.ok(seconds)
  assert.equal(seconds.length, 81)
  const truth = Array.from({ length: 120 }, (_, n) => n).filter((n) => n < 60 || n % 3 === 0)
  for (const [frame, n] of truth.entries()) {
    assert.ok(Math.abs(seconds[frame]! - n / 30) < 0.001, `${frame}: ${seconds[frame]}`)
  }
  const clock = frameClock({ startFrame: 0, framesPerSecond: 30, exactSeconds: seconds })
  for (const [frame, n] of truth.entries()) {
    const sought = clock.secondsAt(frame + 0.5)
    assert.ok(sought > n / 30 && sought < (truth[frame + 1] ?? n + 3) / 30, `${frame}: ${sought}`)
    assert.equal(Math.floor(clock.placeAt(sought) + 0.01), frame)
  }
})

test('a file whose frames are reordered, or that is none, says nothing', async (t) => {
  const folder = await clipFolder(t)
  const file = await makeClip(
    folder,
    `-f lavfi -i testsrc2=s=64x36:r=30:d=1 -c:v libx264 -bf 2 -movflags +faststart reordered.mp4`,
  )
  assert.equal(frameSeconds(await viewOf(file)), null)
  assert.equal(frameSeconds(new DataView(new ArrayBuffer(100))), null)
  assert.equal(frameSeconds(new DataView((await readFile(file)).buffer.slice(0, 200))), null)
})
