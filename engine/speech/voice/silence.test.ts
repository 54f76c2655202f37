import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clipFolder, makeClip } from '../../clips.testing.ts'
import { levelsPerSecond, readLevels } from './levels.ts'
import { findSilence } from './silence.ts'

test('pauses are found to some hundredths of a second above any floor of noise', async (t) => {
  const folder = await clipFolder(t)
  for (const noise of [0.0003, 0.01]) {
    const gate = 'between(mod(t\\,3)\\,0\\,2.2)'
    const sound = `0.3*sin(2*PI*300*t)*${gate}+${noise}*(random(0)-0.5)`
    const file = await makeClip(folder, `-f lavfi -i aevalsrc=${sound}:s=16000:d=12 -f s16le a.s16`)
    const levels = await readLevels(file, { samples: 12 * 16_000 })
    assert.equal(levels.length, 12 * levelsPerSecond)
    const silences = findSilence(levels)
    assert.equal(silences.length, 4, `noise ${noise}`)
    for (const [index, { start, end }] of silences.entries()) {
      assert.ok(Math.abs(start - (3 * index + 2.2)) < 0.05, `start ${start}`)
      assert.ok(Math.abs(end - 3 * (index + 1)) < 0.05, `end ${end}`)
    }
  }
})

test('the pauses of a take in a louder room are found beside those of a quiet one', async (t) => {
  const folder = await clipFolder(t)
  const gate = 'between(mod(t\\,3)\\,0\\,2.2)'
  const room = 'if(lt(t\\,9)\\,0.0005\\,0.02)*(random(0)-0.5)'
  const sound = `0.3*sin(2*PI*300*t)*${gate}+${room}`
  const file = await makeClip(folder, `-f lavfi -i aevalsrc=${sound}:s=16000:d=18 -f s16le a.s16`)
  const levels = await readLevels(file, { samples: 18 * 16_000 })
  assert.equal(findSilence(levels).length, 6)
})

test('a pause at the end of a loud room is found, a soft sound between loud ones is not', async (t) => {
  const folder = await clipFolder(t)
  // Words with short gaps, in which the room is heard.
  const gate = 'between(mod(t\\,3)\\,0\\,2.2)*gt(mod(t\\,0.4)\\,0.08)'
  const room = 'if(between(t\\,6\\,9)\\,0.01\\,0.0005)*(random(0)-0.5)'
  const sound = `0.3*sin(2*PI*300*t)*${gate}+${room}`
  const file = await makeClip(folder, `-f lavfi -i aevalsrc=${sound}:s=16000:d=18 -f s16le a.s16`)
  const silences = findSilence(await readLevels(file, { samples: 18 * 16_000 }))
  assert.equal(silences.length, 6, JSON.stringify(silences))
  assert.ok(
    silences.some(({ start, end }) => Math.abs(start - 8.2) < 0.05 && Math.abs(end - 9) < 0.05),
  )
  // A sound that fades by 30 dB is far below the others, but a room does not fade.
  const levels = new Float32Array(2000).map((_, at) => (at % 50 === 0 ? -80 : -15))
  for (let at = 0; at < 60; at++) levels[1000 + at] = -40 - at / 2
  assert.deepEqual(findSilence(levels), [])
})

test('an even hum has no pauses, digital silence is one', () => {
  assert.deepEqual(findSilence(new Float32Array(2000).fill(-30)), [])
  const [only, ...more] = findSilence(new Float32Array(2000).fill(-100))
  assert.deepEqual([only, more], [{ start: 0, end: 20 }, []])
})
