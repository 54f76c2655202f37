/** Streams that no tool here can decode, beside others that can be. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { analyse } from './analyse.ts'
import type { AnalyseResult } from './analyse.ts'
import { clipFolder, makeClip } from './clips.testing.ts'
import { slow } from '../test/support/slow.ts'

/** A picture and two tracks of sound, of which some have a codec that nobody knows. */
async function analyseWith(
  t: TestContext,
  unknown: readonly (string | null)[],
): Promise<AnalyseResult['outcomes']> {
  const folder = await clipFolder(t)
  const clip = await makeClip(
    folder,
    '-f lavfi -i testsrc=s=320x180:r=25:d=2 -f lavfi -i sine=d=2 -f lavfi -i sine=f=300:d=2 ' +
      '-map 0 -map 1 -map 2 -c:v mjpeg -c:a pcm_s16le known.mov',
  )
  const bytes = await readFile(clip)
  let at = -1
  for (const codec of unknown) {
    // Sample descriptions: version, count and size stand before the codec's name.
    at = bytes.indexOf('stsd', at + 1)
    assert.ok(at >= 0)
    if (codec) bytes.write(codec, at + 16, 'latin1')
  }
  const file = path.join(folder, 'unknown.mov')
  await writeFile(file, bytes)
  const [whole, inParts] = await Promise.all(
    [1, 2].map((parts) =>
      analyse({
        file,
        extractors: ['thumbnail', 'transcription'],
        workDir: path.join(folder, `work-${parts}`),
        parts,
        // So short a clip is one pass over all of it, unless its segments are shorter.
        ...(parts > 1 ? { segmentSeconds: 1 } : {}),
      }),
    ),
  )
  assert.deepEqual(inParts!.outcomes, whole!.outcomes)
  return whole!.outcomes
}

test('a track of an unknown codec beside a known one is passed over', slow, async (t) => {
  const outcomes = await analyseWith(t, [null, null, 'apac'])
  assert.deepEqual([outcomes.thumbnail?.status, outcomes.transcription?.status], ['done', 'done'])
})

test('the first track that is known is heard', slow, async (t) => {
  const outcomes = await analyseWith(t, [null, 'apac', null])
  assert.deepEqual([outcomes.thumbnail?.status, outcomes.transcription?.status], ['done', 'done'])
})

test('a picture of an unknown codec does not keep the sound from being heard', slow, async (t) => {
  const outcomes = await analyseWith(t, ['brxq', null, null])
  assert.equal(outcomes.transcription?.status, 'done')
  assert.deepEqual(outcomes.thumbnail, {
    status: 'failed',
    code: 'extractor_failed',
    message: 'No picture of this media can be decoded.',
  })
})

test('sound that nobody can decode has no transcript, not an empty one', async (t) => {
  const outcomes = await analyseWith(t, [null, 'apac', 'apac'])
  assert.equal(outcomes.thumbnail?.status, 'done')
  assert.equal(outcomes.transcription?.status, 'failed')
})

test('sound that has a name and no decoder leaves the pictures alone', slow, async (t) => {
  const outcomes = await analyseWith(t, [null, 'mhm1', 'mhm1'])
  assert.equal(outcomes.thumbnail?.status, 'done')
  assert.deepEqual(outcomes.transcription, {
    status: 'failed',
    code: 'extractor_failed',
    message: 'No sound of this media can be decoded.',
  })
})

test('sound of many channels without a layout is heard', slow, async (t) => {
  const folder = await clipFolder(t)
  const raw = new Int16Array(10 * 8000)
  for (let at = 9; at < raw.length; at += 10) raw[at] = (at % 400) * 50
  await writeFile(path.join(folder, 'ten.raw'), raw)
  const file = await makeClip(
    folder,
    `-f lavfi -i testsrc=s=64x36:r=25:d=1 -f s16le -ar 8000 -ac 10 -i ten.raw
     -c:v mjpeg -c:a pcm_s16le ten.mov`,
  )
  const workDir = path.join(folder, 'work')
  const { outcomes } = await analyse({ file, extractors: ['thumbnail', 'transcription'], workDir })
  assert.deepEqual(outcomes, { thumbnail: { status: 'done' }, transcription: { status: 'done' } })
  const peaks = await readFile(path.join(workDir, 'waveform.bin'))
  assert.ok(
    peaks.some((value) => value > 2 && value < 128),
    'the last channel is heard',
  )
})
