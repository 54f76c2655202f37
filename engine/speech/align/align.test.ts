import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { clipFolder, makeClip } from '../../clips.testing.ts'
import { loadAligner } from './align.ts'
import { slow } from '../../../test/support/slow.ts'

const run = promisify(execFile)

test('words around digital silence are aligned', slow, async (t) => {
  const folder = await clipFolder(t)
  const voice = path.join(folder, 'voice.wav')
  const said = 'The quick brown fox jumps over the lazy dog. We will meet again on Tuesday morning.'
  await run('espeak-ng', ['-v', 'en-us', '-s', '150', '-w', voice, said])
  // Twice, with zeros between the sentences and between the two.
  const file = await makeClip(
    folder,
    `-i ${voice} -i ${voice} -ar 16000 -ac 1 -f s16le
     -filter_complex [0]apad=whole_dur=7[a];[a][1]concat=n=2:v=0:a=1 twice.s16`,
  )
  const bytes = await readFile(file)
  const samples = Float32Array.from({ length: bytes.length >> 1 }, (_, at) => {
    return bytes.readInt16LE(at * 2) / 32_768
  })
  const words = `${said} ${said}`
    .split(' ')
    .map((text) => ({ text, start: 0, end: 0, confidence: 1 }))
  const align = await loadAligner('en')
  const aligned = align(samples, words, { trustTimes: false })
  assert.ok(aligned, 'a path is found')
  const half = aligned.length / 2
  const later = aligned.slice(half).map((word) => word.start - 7)
  for (const [index, word] of aligned.slice(0, half).entries()) {
    assert.ok(Math.abs(later[index]! - word.start) < 0.06, `${word.text} ${later[index]}`)
  }
  assert.deepEqual(align(samples, words, { trustTimes: false }), aligned)
})
