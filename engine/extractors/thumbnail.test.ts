import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { analyse } from '../analyse.ts'
import { clipFolder, makeClip, makeManyShots } from '../clips.testing.ts'
import type { Signals } from './extractor.ts'
import { createClock } from '../time/clock.ts'
import { probe } from '../probe.ts'
import { thumbnailExtractor } from './thumbnail.ts'
import { isWholeRun } from '../../test/support/slow.ts'

const run = promisify(execFile)

const shotCount = isWholeRun ? 1010 : 60

test('a film of many shots has a still of every shot', async (t) => {
  const folder = await clipFolder(t)
  const film = await makeManyShots(folder, { shots: shotCount })
  const workDir = path.join(folder, 'work')
  const result = await analyse({ file: film.file, extractors: ['shots', 'thumbnail'], workDir })
  assert.deepEqual(result.outcomes, { shots: { status: 'done' }, thumbnail: { status: 'done' } })
  const { shots, thumbnail } = result.findings
  assert.equal(shots?.shots.length, shotCount)
  assert.equal(thumbnail?.stills.length, shotCount)
  assert.equal(thumbnail?.missing, undefined)
  const [first, middle] = [thumbnail?.stills[0], thumbnail?.stills[shotCount / 2]]
  assert.deepEqual([first?.shot, middle?.shot], [0, shotCount / 2])
  for (const name of [thumbnail?.poster, middle?.file, thumbnail?.proxy?.file]) {
    assert.ok((await stat(path.join(workDir, name ?? ''))).size > 100, String(name))
  }
})

test('a still shows the very frame that it names, at constant and variable rates', async (t) => {
  const folder = await clipFolder(t)
  const gray = `-f lavfi -i color=black:s=160x90:r=30:d=3,format=gray,geq=lum='16+mod(N\\,60)*4'`
  const encode = '-c:v libx264 -preset ultrafast -qp 0 -pix_fmt yuv420p'
  const files = [
    await makeClip(folder, `${gray} ${encode} -bf 2 constant.mp4`),
    await makeClip(
      folder,
      `${gray} -vf select='lt(mod(n\\,7)\\,4)' -fps_mode vfr ${encode} vfr.mkv`,
    ),
    ...(isWholeRun
      ? [await makeClip(folder, `${gray} ${encode} -output_ts_offset 5 late.ts`)]
      : []),
  ]
  for (const file of files) {
    const workDir = `${file}.work`
    const { findings } = await analyse({
      file,
      extractors: ['thumbnail'],
      workDir,
      params: { thumbnail: { stills: 30 } },
    })
    const { stills = [], proxy } = findings.thumbnail ?? {}
    assert.equal(stills.length, 30)
    const truth = await brightness(path.join(workDir, proxy?.file ?? ''), folder)
    const list = stills.map((still) => `file '${path.join(workDir, still.file)}'`).join('\n')
    await writeFile(path.join(folder, 'stills.txt'), list)
    const seen = await brightness('stills.txt', folder, ['-f', 'concat', '-safe', '0'])
    assert.deepEqual(
      stills.map(({ frame }, index) => [
        frame,
        Math.abs((seen[index] ?? 0) - (truth[frame] ?? 0)) < 2,
      ]),
      stills.map(({ frame }) => [frame, true]),
      file,
    )
  }
})

test('stills that cannot be taken leave the proxy, the sprite and the waveform', async (t) => {
  const folder = await clipFolder(t)
  const source = '-f lavfi -i testsrc2=s=160x90:r=25:d=2 -f lavfi -i sine=d=2'
  const file = await makeClip(folder, `${source} -c:v mjpeg -c:a pcm_s16le clip.mov`)
  const known = await probe(file)
  assert.ok(known.status === 'media')
  // A proxy whose frames are all damaged: it has a size, but no frame of it can be decoded.
  await makeClip(
    folder,
    `-f lavfi -i testsrc2=s=160x90:r=25:d=2 -c:v libx264 -bsf:v noise=amount=1 proxy.mp4`,
  )
  const signals: Signals = {
    ...{ file, media: known.media, details: known.details, report: null, workDir: folder },
    clock: createClock({ rate: { num: 25n, den: 1n }, frames: 50 }),
    ...{
      startFrame: 0,
      places: null,
      changes: null,
      sound: null,
      speech: null,
      voice: null,
      microphones: null,
      spokenTrack: null,
      hearings: null,
      turns: null,
      faces: null,
      text: null,
    },
    files: {
      proxy: 'proxy.mp4',
      sprite: {
        ...{ names: ['sprite-001.jpg'], intervalFrames: 12, tileWidth: 160, tileHeight: 90 },
        ...{ columns: 10, rows: 10 },
      },
      waveform: { file: 'waveform.bin', peaksPerSecond: 100, count: 200 },
    },
    findings: {},
    faults: {},
  }
  const findings = await thumbnailExtractor.run(signals, { stills: 3 }, {})
  assert.deepEqual(findings.missing, ['stills', 'poster'])
  assert.deepEqual([findings.stills, findings.poster], [[], null])
  assert.equal(findings.proxy?.width, 160)
  assert.equal(findings.sprite?.count, 5)
  assert.equal(findings.waveform?.count, 200)
})

/** The mean luma of each frame of a file. */
async function brightness(file: string, folder: string, how: string[] = []): Promise<number[]> {
  const { stdout } = await run(
    'ffmpeg',
    [
      '-v',
      'error',
      ...how,
      '-i',
      file,
      '-vf',
      'scale=1:1:flags=area,format=gray',
      '-fps_mode',
      'passthrough',
    ].concat(['-f', 'rawvideo', 'pipe:1']),
    { cwd: folder, encoding: 'buffer' },
  )
  return [...stdout]
}
