import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { clipFolder } from '../clips.testing.ts'
import { keepFrames, readFrames } from './kept-frames.ts'
import { smallBytes } from './plan.ts'

const frameOf = (number: number): Uint8Array =>
  Uint8Array.from({ length: smallBytes }, (_, at) => (number * 7 + at) % 256)

test('frames of several files come back in order, also from a file without any', async (t) => {
  const folder = await clipFolder(t)
  const files = ['one', 'none', 'two'].map((name) => path.join(folder, name))
  const counts = [40, 0, 3]
  let next = 0
  for (const [at, file] of files.entries()) {
    const writer = keepFrames(file)
    for (let frame = 0; frame < counts[at]!; frame++) await writer.push(frameOf(next++))
    await writer.close()
  }
  let read = 0
  await readFrames(files, (yuv) => assert.deepEqual(yuv, frameOf(read++)))
  assert.equal(read, 43)
})

test('a file that is not there is an error, and a canceled reading ends', async (t) => {
  const folder = await clipFolder(t)
  await assert.rejects(
    readFrames([path.join(folder, 'nowhere')], () => undefined),
    { code: 'ENOENT' },
  )
  const file = path.join(folder, 'frames')
  const writer = keepFrames(file)
  await writer.push(frameOf(0))
  await writer.close()
  const reading = readFrames([file], () => undefined, AbortSignal.abort())
  await assert.rejects(reading, { name: 'AbortError' })
})
