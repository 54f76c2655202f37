import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { clipFolder, makeClip } from '../clips.testing.ts'
import { probe } from '../probe.ts'
import { hearFilm } from '../parts/hear-film.ts'
import type { Film } from '../parts/plan-film.ts'
import { gatherSignals } from './gather.ts'
import type { Need } from './extractor.ts'
import { slow } from '../../test/support/slow.ts'

const sample = path.join(import.meta.dirname, '../../assets/sample.mp4')

test('speech is heard that a mix takes away or that another track holds', slow, async (t) => {
  const folder = await clipFolder(t)
  const clips = [
    `-i ${sample} -map 0:a -t 8 -ac 1 -ar 16000 plain.wav`,
    `-i plain.wav -af pan=stereo|c0=c0|c1=-1*c0 turned.wav`,
    `-f lavfi -i anullsrc=r=16000:cl=mono:d=8 -i plain.wav -map 0 -map 1 -c:a pcm_s16le second.mov`,
  ]
  const counts: number[] = []
  const tracks: (number | null)[] = []
  for (const words of clips) {
    const file = await makeClip(folder, words)
    const probed = await probe(file)
    assert.equal(probed.status, 'media')
    const { media, details } = probed
    const needs = new Set<Need>(['sound', 'voice', 'files'])
    const order = { file, media, details, workDir: folder, needs }
    const { voice, spokenTrack, files } = await gatherSignals(order)
    counts.push(voice!.filter((probability) => probability >= 0.5).length)
    tracks.push(spokenTrack)
    const peaks = await readFile(path.join(folder, files!.waveform!.file))
    assert.ok(peaks.some((value) => value > 10 && value < 128))
    const film = { ...order, hearsWords: false, segments: [], speechSeconds: 10 } as Film
    const hearing = await hearFilm(film, { file, workDir: folder, leavesProxy: true })
    assert.ok(hearing.end === 'done')
    assert.deepEqual(hearing.heard.voice, voice)
  }
  const [plain, ...others] = counts
  assert.ok(plain! > 50, `${plain} of 250 parts hold a voice`)
  assert.deepEqual(others, [plain, plain])
  assert.deepEqual(tracks, [null, null, 1])
})
