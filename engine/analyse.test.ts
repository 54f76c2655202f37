import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { Findings } from '../domain/findings/findings.ts'
import type { ExtractorId } from '../domain/money/catalogue.ts'
import { analyse } from './analyse.ts'
import type { AnalyseInput } from './analyse.ts'
import { clipFolder, makeClip } from './clips.testing.ts'
import { probe } from './probe.ts'
import { slow } from '../test/support/slow.ts'

const h264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p'
/** Three scenes of 2 s that have nothing in common; the last is left to settle first. */
const scenes = [
  '-f lavfi -i mandelbrot=s=320x180:r=25',
  '-f lavfi -i testsrc=s=320x180:r=25',
  '-f lavfi -i life=s=320x180:r=25:mold=10:ratio=0.3:seed=7:death_color=blue:life_color=yellow',
].join(' ')
const joined =
  '[0]trim=end=2,setpts=PTS-STARTPTS,format=yuv420p[a];[1]trim=end=2,setpts=PTS-STARTPTS,format=yuv420p[b];[2]trim=start=2:end=4,setpts=PTS-STARTPTS,format=yuv420p[c];[a][b][c]concat=n=3'

function makeScenes(folder: string, name = 'scenes.mp4'): Promise<string> {
  return makeClip(
    folder,
    `${scenes} -f lavfi -i sine=d=6 -filter_complex ${joined},fps=25[v] -map [v] -map 3 ${h264} -c:a aac ${name}`,
  )
}

test('cuts are found to the frame, and thumbnails follow the shots', async (t) => {
  const folder = await clipFolder(t)
  const file = await makeScenes(folder)
  const workDir = path.join(folder, 'work')
  const order: string[] = []
  const parts: number[] = []
  const result = await analyse({
    file,
    extractors: ['thumbnail', 'shots', 'ffprobe'],
    workDir,
    onFindings: (id, findings) => void (findings !== undefined && order.push(id)),
    onProgress: ({ overall }) => parts.push(overall),
  })
  const findings = Findings.parse({ ...result.findings, media: result.media })
  assert.deepEqual(order, ['ffprobe', 'shots', 'thumbnail'])
  const cuts = findings.shots?.changes.map((change) => [change.type, change.start_frame])
  assert.deepEqual(cuts, [
    ['cut', 50],
    ['cut', 100],
  ])
  assert.deepEqual(
    findings.thumbnail?.stills.map((still) => [still.frame, still.shot]),
    [
      [25, 0],
      [75, 1],
      [125, 2],
    ],
  )
  for (const name of [
    'poster.jpg',
    'still-000000025.jpg',
    'proxy.mp4',
    'sprite-001.jpg',
    'waveform.bin',
  ]) {
    assert.ok((await stat(path.join(workDir, name))).size > 100, name)
  }
  assert.match(await readFile(path.join(workDir, 'sprite.vtt'), 'utf8'), /^WEBVTT\n\n00:00:00\.000/)
  // AAC ends on a whole block of its own, a little after the picture.
  assert.ok(Math.abs((findings.thumbnail?.waveform?.count ?? 0) - 602) <= 3)
  assert.equal(findings.thumbnail?.proxy?.frames, 150)
  assert.equal(result.seconds, 6)
  assert.equal(parts.at(-1), 1)
  assert.deepEqual(
    parts,
    parts.toSorted((a, b) => a - b),
    'progress never goes back',
  )
})

test('a range is analysed alone and reported on the clock of the whole', async (t) => {
  const folder = await clipFolder(t)
  const file = await makeScenes(folder)
  const workDir = path.join(folder, 'work')
  const range = { in: 3, out: 5 }
  const { findings, seconds } = await analyse({
    file,
    extractors: ['shots', 'thumbnail'],
    workDir,
    ...range,
  })
  const [change, ...more] = findings.shots?.changes ?? []
  assert.equal(more.length, 0)
  assert.deepEqual([change?.start_frame, change?.start_time], [100, '4/1'])
  assert.equal(findings.shots?.shots[0]?.start_frame, 75)
  assert.equal(findings.shots?.shots.at(-1)?.end_frame, 125)
  assert.deepEqual(
    findings.thumbnail?.stills.map((still) => still.frame),
    [87, 112],
  )
  assert.equal(findings.thumbnail?.proxy?.start_frame, 75)
  assert.equal(seconds, 2)
})

test('sound alone gets a proxy that can be heard, and its waveform', async (t) => {
  const folder = await clipFolder(t)
  const file = await makeClip(folder, '-f lavfi -i sine=d=3:r=44100 memo.wav')
  const workDir = path.join(folder, 'work')
  const { findings, outcomes } = await analyse({ file, extractors: ['thumbnail'], workDir })
  assert.equal(outcomes.thumbnail?.status, 'done')
  const { proxy, waveform, stills, poster, sprite } = findings.thumbnail ?? {}
  assert.deepEqual([proxy?.width, proxy?.height, proxy?.frames], [null, null, 75])
  assert.equal(waveform?.count, 300)
  assert.deepEqual([stills, poster, sprite], [[], null, null])
  const heard = await probe(path.join(workDir, proxy?.file ?? ''))
  assert.ok(heard.status === 'media' && heard.media.kind === 'audio')
  assert.ok(Math.abs(heard.media.duration - 3) < 0.03, String(heard.media.duration))
})

test(
  'sound that goes on after the last frame is heard as far as it is paid for',
  slow,
  async (t) => {
    const folder = await clipFolder(t)
    const sources = '-f lavfi -i testsrc2=r=25:s=64x36:d=2 -f lavfi -i sine=d=7'
    const file = await makeClip(folder, `${sources} -c:v libx264 -c:a aac long.mp4`)
    const heard = async (order: { in?: number; out?: number; maxSeconds?: number }) => {
      const workDir = path.join(folder, 'work')
      const { findings, seconds } = await analyse({
        ...{ file, workDir, extractors: ['thumbnail'], ...order },
      })
      const { proxy, waveform } = findings.thumbnail!
      const probed = await probe(path.join(workDir, proxy!.file))
      const length = probed.status === 'media' ? probed.media.duration : 0
      assert.ok(Math.abs(length - seconds) < 0.1, `the proxy lasts ${length} s of ${seconds}`)
      return [Math.round(waveform!.count / 10), Math.round(seconds * 10), proxy!.frames]
    }
    assert.deepEqual(await heard({ maxSeconds: 8 }), [70, 70, 50])
    assert.deepEqual(await heard({ in: 1, out: 5, maxSeconds: 4 }), [40, 40, 25])
    const { seconds } = await analyse({
      file,
      workDir: folder,
      extractors: ['shots'],
      maxSeconds: 8,
    })
    assert.equal(seconds, 2, 'nobody heard the rest')
  },
)

test('an hour by which the clock of a broadcast jumps is not charged', slow, async (t) => {
  const folder = await clipFolder(t)
  const half = (name: string, at: number): Promise<string> =>
    makeClip(
      folder,
      `-f lavfi -i testsrc2=r=25:s=64x36:d=1 ${h264} -output_ts_offset ${at} -muxdelay 0 ${name}`,
    )
  const halves = [await half('a.ts', 0), await half('b.ts', 3600)]
  const file = path.join(folder, 'jump.ts')
  await writeFile(file, Buffer.concat(await Promise.all(halves.map((name) => readFile(name)))))
  const seconds = async (order: Partial<AnalyseInput>): Promise<number> => {
    const extractors: ExtractorId[] = ['ffprobe', 'shots']
    const result = await analyse({ file, extractors, workDir: folder, ...order })
    assert.equal(result.outcomes.shots?.status, 'done')
    assert.ok(result.findings.ffprobe?.conform.some(({ code }) => code === 'clock_jumps'))
    return Math.round(result.seconds)
  }
  assert.deepEqual(
    [await seconds({}), await seconds({ maxSeconds: 100 }), await seconds({ in: 3599.5 })],
    [12, 1, 2],
  )
})

test('a range after the last frame is heard from its start on', slow, async (t) => {
  const folder = await clipFolder(t)
  const sources = '-f lavfi -i testsrc2=r=25:s=64x36:d=2 -f lavfi -i sine=d=7'
  const file = await makeClip(folder, `${sources} -c:v libx264 -c:a aac long.mp4`)
  const order = { file, workDir: folder, in: 4, out: 6, maxSeconds: 2 }
  const { findings, seconds } = await analyse({ ...order, extractors: ['thumbnail'] })
  assert.equal(seconds, 2)
  const { file: name, count } = findings.thumbnail!.waveform!
  const peaks = await readFile(path.join(folder, name))
  assert.ok(Math.abs(count - 404) <= 1, `${count} peaks from the last frame on`)
  const high = peaks.filter((_, at) => at % 2 === 1)
  const first = high.findIndex((peak) => peak > 5)
  assert.ok(Math.abs(first - 204) <= 2, `heard from ${first} on`)
})

test('the dissolve and the fade of the sample clip are found with their edges', async (t) => {
  const { findings } = await analyse({
    file: path.join(import.meta.dirname, '../assets/sample.mp4'),
    extractors: ['shots'],
    workDir: await clipFolder(t),
  })
  const truth = [
    ['cut', 100, 100],
    ['cut', 175, 175],
    ['cut', 275, 275],
    ['dissolve', 350, 375],
    ['cut', 475, 475],
    ['fade', 550, 575],
  ] as const
  const changes = findings.shots?.changes ?? []
  assert.deepEqual(
    changes.map((change) => change.type),
    truth.map(([type]) => type),
  )
  for (const [index, [type, start, end]] of truth.entries()) {
    const off = type === 'cut' ? 0 : 3
    const change = changes[index]
    assert.ok(Math.abs((change?.start_frame ?? 0) - start) <= off, `${type} at ${start}`)
    assert.ok(Math.abs((change?.end_frame ?? 0) - end) <= off, `${type} until ${end}`)
  }
})

test(
  'a damaged first picture moves nothing: time starts with the first one that decodes',
  slow,
  async (t) => {
    const folder = await clipFolder(t)
    const file = await makeClip(
      folder,
      '-f lavfi -i testsrc2=r=25:s=160x90:d=2 -f lavfi -i sine=d=2 -c:v mjpeg -c:a pcm_s16le a.mov',
    )
    const bytes = await readFile(file)
    const first = bytes.indexOf(Buffer.from('ffd8ffe0', 'hex'))
    bytes.fill(0, first, first + 1200)
    await writeFile(file, bytes)
    const workDir = path.join(folder, 'out')
    const { media, findings } = await analyse({ file, workDir, extractors: ['shots', 'thumbnail'] })
    assert.equal(media?.frames, 49)
    assert.equal(findings.shots?.shots.at(-1)?.end_frame, 49)
    const samples = (findings.thumbnail?.waveform?.count ?? 0) / 100
    assert.ok(Math.abs(samples - 1.96) < 0.03, `the sound of the lost picture is cut: ${samples} s`)
  },
)

test('pictures that do not decode keep their numbers, and all behind them too', slow, async (t) => {
  const folder = await clipFolder(t)
  const file = await makeClip(
    folder,
    `${scenes} -filter_complex ${joined},fps=25[v] -map [v] -c:v mjpeg -q:v 4 -an holes.mov`,
  )
  const bytes = await readFile(file)
  const images = [...bytes.toString('latin1').matchAll(/\xff\xd8\xff\xe0/g)].map(
    (match) => match.index,
  )
  assert.equal(images.length, 150)
  for (const lost of [20, 21, 70]) bytes.fill(0, images[lost], images[lost + 1])
  await writeFile(file, bytes)
  const extractors: ExtractorId[] = ['shots', 'thumbnail']
  for (const range of [{}, { in: 0.5, out: 5 }]) {
    const workDir = path.join(folder, `out-${Object.keys(range).length}`)
    const { media, findings } = await analyse({ file, workDir, extractors, ...range })
    assert.equal(media?.frames, 150)
    assert.deepEqual(
      findings.shots?.changes.map((change) => [change.start_frame, change.start]),
      [
        [50, 2],
        [100, 4],
      ],
    )
    const [first, last] = [findings.shots?.shots[0], findings.shots?.shots.at(-1)]
    const whole = range.in === undefined
    assert.deepEqual([first?.start_frame, last?.end_frame], whole ? [0, 150] : [12, 125])
    const stills = findings.thumbnail?.stills ?? []
    assert.ok(stills.length > 0)
    for (const { frame, time } of stills) {
      const [num = 0, den = 1] = time.split('/').map(Number)
      assert.equal((num * 25) / den, frame)
    }
  }
})

test(
  'the audio track that is named is heard, or the first; where none is named, the one that speaks',
  slow,
  async (t) => {
    const folder = await clipFolder(t)
    const said = path.join(folder, 'say.wav')
    execFileSync('espeak-ng', [
      '-s',
      '140',
      '-w',
      said,
      'Good morning. Please repeat the question.',
    ])
    const file = await makeClip(
      folder,
      '-f lavfi -i anullsrc=r=16000:d=5 -i say.wav -map 0 -map 1 -c:a flac two.mka',
    )
    const speechOf = async (audioTrack?: number) => {
      const workDir = path.join(folder, `out-${audioTrack}`)
      const { findings } = await analyse({ file, workDir, audioTrack, extractors: ['talking'] })
      return findings.talking?.speech.length ?? -1
    }
    assert.ok((await speechOf()) > 0)
    assert.equal(await speechOf(0), 0)
    assert.ok((await speechOf(1)) > 0)
    assert.equal(await speechOf(7), 0)
  },
)

test('extractors that the media cannot feed are skipped with a warning', async (t) => {
  const folder = await clipFolder(t)
  const tone = await makeClip(folder, '-f lavfi -i sine=d=3 tone.wav')
  const heard = await analyse({
    file: tone,
    extractors: ['ffprobe', 'shots', 'thumbnail'],
    workDir: path.join(folder, 'tone'),
  })
  assert.deepEqual(
    heard.outcomes.shots?.status === 'skipped' && heard.outcomes.shots.code,
    'no_video',
  )
  assert.equal(heard.outcomes.ffprobe?.status, 'done')
  assert.equal(heard.findings.thumbnail?.waveform?.count, 300)
  const still = await makeClip(folder, '-f lavfi -i testsrc2=s=64x48 -frames:v 1 still.png')
  const seen = await analyse({
    file: still,
    extractors: ['ffprobe', 'thumbnail', 'transcription'],
    workDir: path.join(folder, 'still'),
  })
  assert.equal(seen.findings.thumbnail?.poster, 'poster.jpg')
  assert.equal(seen.outcomes.transcription?.status, 'skipped')
  const note = path.join(folder, 'note.txt')
  await writeFile(note, 'only words')
  const read = await analyse({ file: note, extractors: ['ffprobe', 'shots'], workDir: folder })
  assert.equal(read.outcomes.ffprobe?.status, 'done')
  assert.equal(read.outcomes.shots?.status, 'skipped')
})

test('a file that cannot be read fails every extractor with the reason', async (t) => {
  const folder = await clipFolder(t)
  const file = path.join(folder, 'list.mp4')
  await writeFile(file, '#EXTM3U\n/etc/hostname\n')
  const { media, outcomes } = await analyse({
    file,
    extractors: ['ffprobe', 'shots'],
    workDir: folder,
  })
  assert.equal(media, null)
  assert.deepEqual(Object.keys(outcomes).sort(), ['ffprobe', 'shots'])
  for (const outcome of Object.values(outcomes)) {
    assert.equal(outcome.status === 'failed' && outcome.code, 'unsupported_source')
  }
})

test(
  'findings of an earlier attempt are kept, unknown parameters fail one extractor',
  slow,
  async (t) => {
    const folder = await clipFolder(t)
    const file = await makeScenes(folder)
    const first = await analyse({ file, extractors: ['shots'], workDir: path.join(folder, 'one') })
    const reported: ExtractorId[] = []
    const second = await analyse({
      file,
      extractors: ['shots', 'thumbnail', 'ffprobe'],
      params: { ffprobe: { no_such: 1 } },
      done: { shots: first.findings.shots },
      workDir: path.join(folder, 'two'),
      onFindings: (id) => void reported.push(id),
    })
    assert.deepEqual(second.findings.shots, first.findings.shots)
    assert.ok(!reported.includes('shots'), 'not computed again')
    assert.equal(second.findings.thumbnail?.stills.length, 3)
    assert.equal(second.outcomes.ffprobe?.status, 'failed')
  },
)

test('canceling ends what is not done yet', async (t) => {
  const folder = await clipFolder(t)
  const file = await makeScenes(folder)
  const stop = new AbortController()
  const { outcomes } = await analyse({
    file,
    extractors: ['ffprobe', 'shots'],
    workDir: path.join(folder, 'work'),
    signal: stop.signal,
    onFindings: () => stop.abort(),
  })
  assert.equal(outcomes.ffprobe?.status, 'done')
  assert.equal(outcomes.shots?.status === 'failed' && outcomes.shots.code, 'canceled')
})
