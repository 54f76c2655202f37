import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { before, test } from 'node:test'
import type { TestContext } from 'node:test'
import { clipFolder, makeClip } from '../clips.testing.ts'
import { mouthRuns } from './lips.ts'
import type { MouthRun } from './lips.ts'
import { openingOf, openingsPerSecond } from './opening.ts'
import { findShifts, isStranger, mayFollow } from './shift.ts'
import { compareSync } from './lip-likeness.ts'
import type { SyncWindow } from './lip-likeness.ts'
import { slowUnless } from '../../test/support/slow.ts'

const rate = 16_000
const seconds = 24
const texts = [
  'Good morning everyone. Today we bought apples, plums and a map of Rome. Maybe tomorrow we will ' +
    'walk over the old bridge, past the farm, and ask about the boat. Nobody knows what happens ' +
    'after that, but I am happy to be here, and my father is as well.',
  'Under the window there was a long table with paper, pens and half a cup of coffee. Open the ' +
    'box, move the lamp, and bring me a bottle of water. Perhaps it rains above the harbour. ' +
    'Five people came up the path; all of them laughed.',
]
const voices: Int16Array[] = []

before(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'clips-'))
  for (const [index, text] of texts.entries()) {
    execFileSync('espeak-ng', ['-s', '140', '-w', path.join(folder, 'say.wav'), text])
    const file = await makeClip(
      folder,
      `-i say.wav -af apad -t ${seconds} -ac 1 -ar ${rate} -f s16le ${index}.s16`,
    )
    const bytes = await readFile(file)
    const samples = new Int16Array(new Uint8Array(bytes).buffer)
    // A room is never quite silent, and a mute end says nothing.
    voices.push(samples.map((sample, at) => sample / 3 + ((at * 7919) % 13) - 6))
  }
  await rm(folder, { recursive: true })
})

/** Lips as the first voice asks for, with the noise of a mesh, seen 12.5 times a second. */
function lips(): MouthRun {
  const opening = openingOf(Float32Array.from(voices[0]!, (sample) => sample / 32768))
  const low = Math.min(...opening)
  const frames = Array.from({ length: Math.floor(seconds * 12.5) }, (_, at) => at * 2)
  const noise = (at: number) => (((at * 2654435761) >>> 8) % 1000) / 1000 - 0.5
  const gaps = frames.map((frame, at) => {
    return 0.3 * (opening[Math.min(frame, opening.length - 1)]! - low) + 0.06 * noise(at)
  })
  const track = { face: 'face-1', frames, gaps, eyes: frames.map(() => 120) }
  return mouthRuns(track, (frame) => frame / openingsPerSecond)[0]!
}

function moved(samples: Int16Array, late: number): Int16Array {
  const by = Math.round(late * rate)
  return samples.map((_, at) => samples[at - by] ?? 0)
}

async function compare(
  t: TestContext,
  samples: Int16Array,
  speaking = [{ start: 1, end: 14 }],
): Promise<SyncWindow[]> {
  const file = path.join(await clipFolder(t), 'a.s16')
  await writeFile(file, new Uint8Array(samples.buffer, 0, samples.byteLength))
  return await compareSync(lips(), speaking, file)
}

test('sound in its place is no shift', async (t) => {
  const windows = await compare(t, voices[0]!)
  assert.deepEqual(findShifts(windows), { delay: null, windows: [] })
  assert.ok(mayFollow(windows))
})

for (const late of [-3, -1, -0.5, -0.3, 0.3, 0.5, 1, 3]) {
  test(
    `sound that is ${late} s late is reported, with its delay`,
    slowUnless(Math.abs(late) === 0.5),
    async (t) => {
      const { delay, windows } = findShifts(await compare(t, moved(voices[0]!, late)))
      assert.ok(delay !== null && Math.abs(delay - late) <= 0.08, String(delay))
      assert.ok(windows.length > 0)
    },
  )
}

test('the voice of another is no shift, and is seen as such after a while', async (t) => {
  const short = await compare(t, voices[1]!)
  assert.deepEqual(findShifts(short), { delay: null, windows: [] })
  assert.ok(!mayFollow(short))
  assert.ok(!isStranger(short))
  const long = [...short]
  for (const by of [4, 7, 12]) {
    const half = voices[1]!.slice(by * rate)
    const turned = voices[1]!.map((_, at) => half[at] ?? voices[1]![at - half.length]!)
    long.push(...(await compare(t, turned)))
  }
  assert.ok(isStranger(long))
  const own = await compare(t, voices[0]!)
  assert.ok(!isStranger([...own, ...own, ...own]))
})

test('a shift in one part of a file is reported for that part alone', async (t) => {
  const inSync = await compare(t, voices[0]!)
  const late = await compare(t, moved(voices[0]!, 1))
  const { delay, windows } = findShifts([...inSync, ...late])
  assert.equal(delay, null)
  assert.deepEqual(windows, late)
})

test('lips that speak for a second or two tell nothing', async (t) => {
  const windows = await compare(t, moved(voices[0]!, 1), [{ start: 2, end: 4 }])
  assert.deepEqual(findShifts(windows), { delay: null, windows: [] })
  assert.ok(mayFollow(windows))
})

test('without any sound there is nothing to compare', async (t) => {
  const windows = await compare(t, new Int16Array(seconds * rate))
  assert.deepEqual(findShifts(windows), { delay: null, windows: [] })
})
