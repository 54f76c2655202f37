import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { clipFolder, makeClip } from '../clips.testing.ts'
import { packageFolder } from '../models/weights.ts'
import { recogniseFaces } from './recognise-faces.ts'
import { createFaceTracker } from './tracker.ts'

/** A picture that comes with the models' package shows several faces side by side. */
const images = path.join(packageFolder('@vladmandic/human'), 'assets/screenshot-facedetect.jpg')
const first = 'crop=150:150:8:345'
const second = 'crop=150:150:165:345'

test('a face is followed, told from another, and known again after a cut', async (t) => {
  const folder = await clipFolder(t)
  const scenes = [`${first},scale=512:512`, `${second},scale=512:512`, 'scale=512:512,lutrgb=0:0:0']
  const again = `${first},scale=300:300,pad=512:512:150:60`
  const tracker = createFaceTracker()
  let frame = 0
  for (const [index, filter] of [...scenes, again].entries()) {
    const file = await makeClip(
      folder,
      `-i ${images} -vf ${filter} -frames:v 1 -pix_fmt rgb24 -f rawvideo ${index}.rgb`,
    )
    const rgb = await readFile(file)
    for (let repeat = 0; repeat < 7; repeat++) await tracker.push(rgb, frame++)
  }
  const { sampled, tracks } = recogniseFaces(await tracker.finish())
  assert.equal(sampled.length, 28)
  assert.deepEqual(
    tracks.map((track) => track.face),
    ['face-1', 'face-2'],
  )
  const [item, next] = tracks
  const scenesOf = (frames: number[]) => [...new Set(frames.map((at) => Math.floor(at / 7)))]
  assert.deepEqual(scenesOf(item!.frames), [0, 3])
  assert.deepEqual(scenesOf(next!.frames), [1])
  // Stills: the lips do not move, and the first person's are closed.
  assert.ok(Math.max(...item!.gaps) - Math.min(...item!.gaps) < 0.05, item!.gaps.join())
  assert.ok(item!.gaps[0]! < 0.06, String(item!.gaps[0]))
})

test('a picture of another size is refused', async () => {
  const tracker = createFaceTracker()
  await assert.rejects(tracker.push(new Uint8Array(10), 0), RangeError)
  tracker.stop()
})
