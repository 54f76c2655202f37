import { toNumber } from '../../domain/time/rational.ts'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { clipFolder, makeClip } from '../clips.testing.ts'
import { runPass } from './run.ts'
import { faceSide, smallBytes } from './plan.ts'
import type { PassRequest } from './plan.ts'
import { probe } from '../probe.ts'
import { findSoundOrigin, readSoundPart } from '../media/sound-part.ts'
import { isWholeRun, slow } from '../../test/support/slow.ts'

const run = promisify(execFile)
const h264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p'

async function probeOf(file: string) {
  const outcome = await probe(file)
  if (outcome.status !== 'media') throw new Error('not media')
  return outcome
}

/** Small frames as sums, so that two passes can be compared. */
async function passOver(folder: string, file: string, more: Partial<PassRequest> = {}) {
  const outcome = await probeOf(file)
  const sums: number[] = []
  const samples: number[] = []
  const result = await runPass({
    file,
    details: outcome.details,
    workDir: folder,
    onFrame(yuv) {
      assert.equal(yuv.length, smallBytes)
      sums.push(yuv.reduce((sum, value, index) => (sum * 31 + value + index) % 1e9, 7))
    },
    onAudio: (chunk) => void samples.push(...chunk),
    keepAudio: true,
    ...more,
  })
  return { ...result, sums, samples, media: outcome.media }
}

test('every frame of a variable rate comes once, with its own pts', async (t) => {
  const folder = await clipFolder(t)
  const file = await makeClip(
    folder,
    `-f lavfi -i testsrc2=r=30:s=320x180:d=3 -vf select='not(eq(mod(n\\,5)\\,2))' -fps_mode vfr
     ${h264} vfr.mp4`,
  )
  const { sums, clock, images, media } = await passOver(folder, file)
  assert.equal(sums.length, 72)
  assert.equal(images, media.frames)
  assert.equal(clock.variable, true)
  assert.ok(
    Math.abs(toNumber(clock.timeOf(2)) - 3 / 30) < 1e-4,
    'frame 2 was the third source frame',
  )
})

test('a range holds exactly the frames that the whole has there, in every container', async (t) => {
  const folder = await clipFolder(t)
  const source = `-f lavfi -i testsrc2=r=24000/1001:s=160x90:d=4 -f lavfi -i sine=d=4`
  const long = '-c:v libx264 -preset veryfast -bf 3 -g 60'
  const clips = [
    `${source} ${long} -c:a aac -output_ts_offset 7 a.mp4`,
    // Frames that stand much closer than the usual ones.
    `${source} -vf settb=1/90000,setpts='(floor(N/3)*3+mod(N,3)*0.1)/FRAME_RATE/TB' -fps_mode passthrough
     -enc_time_base 1:90000 -video_track_timescale 90000 ${long} -c:a aac b.mp4`,
    ...(isWholeRun
      ? [
          // A tick as long as a frame, of which half has no place.
          `${source} -c:v mpeg2video -q:v 3 -bf 2 -g 12 -c:a pcm_s16le -ar 48000 a.mxf`,
          `${source} ${long} -c:a aac -output_ts_offset 7 a.mkv`,
          `${source} ${long} -c:a aac -output_ts_offset 7 a.ts`,
          `${source} -c:v mpeg4 -q:v 3 -g 12 -c:a pcm_s16le a.avi`,
        ]
      : []),
  ]
  for (const words of clips) {
    const file = await makeClip(folder, words)
    const name = path.basename(file)
    const whole = await passOver(folder, file)
    assert.equal(new Set(whole.sums).size, whole.sums.length, `${name}: frames can be told apart`)
    for (const [startFrame, endFrame] of [
      [1, 4],
      [30, 31],
      [59, 75],
    ] as const) {
      const part = await passOver(folder, file, { range: { startFrame, endFrame } })
      assert.deepEqual(part.sums, whole.sums.slice(startFrame, endFrame), `${name} ${startFrame}`)
      assert.equal(part.startFrame, startFrame)
    }
  }
})

test('a stream that was cut in the middle counts only what decodes', async (t) => {
  const folder = await clipFolder(t)
  const whole = await makeClip(
    folder,
    '-f lavfi -i testsrc2=r=25:s=160x90:d=4 -c:v libx264 -g 25 -bf 3 -x264-params open-gop=1 a.ts',
  )
  const bytes = await readFile(whole)
  const file = path.join(folder, 'torn.ts')
  // The tables and the end of a group of frames, then whole groups.
  const from = Math.floor(bytes.length / 4 / 188) * 188
  await writeFile(file, Buffer.concat([bytes.subarray(0, 188 * 3), bytes.subarray(from)]))
  const { media, images, sums } = await passOver(folder, file, { onAudio: undefined })
  assert.ok(images >= 40 && images < 80, `${images}`)
  assert.deepEqual([media.frames, sums.length], [images, images])
})

test('sample 0 of the sound is the start of frame 0, whatever starts first', async (t) => {
  const folder = await clipFolder(t)
  const beep = "aevalsrc='if(between(t,1,1.05),sin(2*PI*1000*t),0)':d=3:s=48000"
  for (const [name, delay] of [
    ['late.ts', 0.4],
    ['early.ts', 0],
  ] as const) {
    const image = `-itsoffset ${delay === 0 ? 0.3 : 0} -f lavfi -i testsrc2=r=25:d=3`
    const file = await makeClip(
      folder,
      `${image} -itsoffset ${delay} -f lavfi -i ${beep} ${h264} -c:a ac3 -output_ts_offset 10 ${name}`,
    )
    const { samples, audio } = await passOver(folder, file)
    const heard = samples.findIndex((sample) => Math.abs(sample) > 3000) / 16_000
    const expected = 1 + delay - (delay === 0 ? 0.3 : 0)
    assert.ok(Math.abs(heard - expected) < 0.02, `${name}: heard at ${heard}, not ${expected}`)
    assert.equal((await stat(audio?.file ?? '')).size, samples.length * 2)
  }
})

test('a gap of 80 ms in the sound shifts nothing', async (t) => {
  const folder = await clipFolder(t)
  const beep = "aevalsrc='if(between(t,1.42,1.47),sin(2*PI*1000*t),0)':d=2:s=48000"
  const file = await makeClip(
    folder,
    `-f lavfi -i testsrc2=r=25:s=64x36:d=2 -f lavfi -i ${beep} ${h264} -c:a pcm_s16le
     -af asetpts='PTS+gte(T,0.5)*0.08/TB' gap.mkv`,
  )
  const { samples } = await passOver(folder, file, { proxy: true })
  const heard = samples.findIndex((sample) => Math.abs(sample) > 3000) / 16_000
  assert.ok(Math.abs(heard - 1.5) < 0.01, `heard at ${heard}`)
  const origin = await findSoundOrigin(file)
  const part = await readSoundPart(file, origin!, { start: 0, seconds: 2 })
  const wave = new Int16Array(part.buffer, part.byteOffset, part.length / 2)
  const heardThere = wave.findIndex((sample) => Math.abs(sample) > 3000) / 48_000
  assert.ok(Math.abs(heardThere - 1.5) < 0.01, `a part of it is heard at ${heardThere}`)
})

test('sound that begins after twenty minutes is silence before', async (t) => {
  const folder = await clipFolder(t)
  const file = await makeClip(
    folder,
    `-f lavfi -i color=s=16x16:r=1:d=1202 -itsoffset 1200 -f lavfi -i sine=d=1:r=48000
     -c:v libx264 -preset ultrafast -g 1202 -c:a aac -ac 2 late.mkv`,
  )
  const { details } = await probeOf(file)
  let [samples, first] = [0, Infinity]
  const onAudio = (part: Int16Array): void => {
    const at = part.findIndex((sample) => Math.abs(sample) > 1000)
    if (at >= 0) first = Math.min(first, samples + at)
    samples += part.length
  }
  const { proxyFile } = await runPass({ file, details, workDir: folder, onAudio, proxy: true })
  assert.ok(Math.abs(first / 16_000 - 1200) < 0.1, `heard at ${first / 16_000}`)
  assert.ok(Math.abs(samples / 16_000 - 1201) < 0.2)
  const proxy = await probeOf(path.join(folder, proxyFile ?? ''))
  assert.ok(Math.abs((proxy.details.audio?.startSeconds ?? 0) - 1200) < 0.1)
})

test('a size or layout that changes in mid-file moves nothing', slow, async (t) => {
  const folder = await clipFolder(t)
  const beep = "aevalsrc='if(between(t,0.5,0.55),sin(2*PI*1000*t),0)':d=1.024:s=48000"
  const half = (size: string, channels: number, at: number): Promise<string> =>
    makeClip(
      folder,
      `-f lavfi -i testsrc2=r=25:s=${size}:d=1 -f lavfi -i ${beep} ${h264} -g 25 -c:a ac3
       -ac ${channels} -output_ts_offset ${at} -muxdelay 0 ${channels}.ts`,
    )
  const halves = [await half('320x180', 2, 0), await half('192x144', 6, 1)]
  const file = path.join(folder, 'changes.ts')
  await writeFile(file, Buffer.concat(await Promise.all(halves.map((value) => readFile(value)))))
  const look = async (more: Partial<PassRequest>) => {
    const faces: { frame: number; sum: number }[] = []
    const onFace = (rgb: Uint8Array, frame: number): void => {
      faces.push({ frame, sum: rgb.reduce((sum, value) => (sum * 31 + value) % 1e9, 7) })
    }
    const sprite = { intervalFrames: 10, tileWidth: 32, tileHeight: 18, columns: 5, rows: 1 }
    return { ...(await passOver(folder, file, { onFace, proxy: true, sprite, ...more })), faces }
  }
  const whole = await look({})
  assert.equal(whole.images, 50)
  assert.deepEqual(
    whole.faces.map(({ frame }) => frame),
    Array.from({ length: 25 }, (_, at) => at * 2),
  )
  assert.ok(Math.abs(whole.samples.length / 16_000 - 2) < 0.1, `${whole.samples.length} samples`)
  for (const at of [0.5, 1.5]) {
    const from = Math.round((at - 0.3) * 16_000)
    const heard = whole.samples.findIndex((value, index) => index > from && Math.abs(value) > 2000)
    assert.ok(Math.abs(heard / 16_000 - at) < 0.03, `heard at ${heard / 16_000}, not ${at}`)
  }
  const words = '-v error -count_frames -show_entries stream=width,height,nb_read_frames,duration'
  const { stdout } = await run('ffprobe', [
    ...[...words.split(' '), '-select_streams', 'v', '-of', 'csv=p=0'],
    path.join(folder, 'proxy.mp4'),
  ])
  assert.match(stdout, /^320,180,(?:1\.99|2\.0)\d+,50$/m)
  const sheets = (await readdir(folder)).filter((name) => name.startsWith('sprite-'))
  assert.equal(sheets.length, 1, 'the sheet is not begun again')
  const part = await look({ range: { startFrame: 25, endFrame: 50 }, firstFrame: 25 })
  assert.deepEqual(part.sums, whole.sums.slice(25))
  assert.deepEqual(part.faces, whole.faces.slice(13))
})

test('recordings put one behind the other are seen and heard to their end', async (t) => {
  const folder = await clipFolder(t)
  const beep = "aevalsrc='if(between(t,1,1.05),sin(2*PI*1000*t),0)':d=2:s=48000"
  const source = `-f lavfi -i testsrc2=r=25:s=160x90:d=2 -f lavfi -i ${beep}`
  for (const name of ['once.ts', 'once.mpg']) {
    const codec = name.endsWith('ts') ? `${h264} -c:a ac3` : '-c:v mpeg2video -c:a mp2'
    const once = await readFile(await makeClip(folder, `${source} ${codec} -g 10 ${name}`))
    const file = path.join(folder, `thrice-${name}`)
    await writeFile(file, Buffer.concat([once, once, once]))
    const { media, sums, samples, clock, audio } = await passOver(folder, file)
    assert.ok(Math.abs(sums.length - 150) <= 2, `${name}: ${sums.length} frames`)
    // Some packets of a program stream carry no time: its length is estimated.
    assert.ok(Math.abs(media.duration - 6) < 0.25, `${name} lasts ${media.duration}`)
    assert.ok(Math.abs(toNumber(clock.timeOf(clock.frames)) - 6) < 0.1)
    assert.ok(Math.abs((audio?.samples ?? 0) / 16_000 - 6) < 0.15)
    for (const at of [1, 3, 5]) {
      const from = Math.round((at - 0.5) * 16_000)
      const heard = samples.findIndex((value, index) => index > from && Math.abs(value) > 3000)
      assert.ok(Math.abs(heard / 16_000 - at) < 0.06, `${name}: ${heard / 16_000}, not ${at}`)
    }
    if (name === 'once.mpg') continue
    const part = await passOver(folder, file, { range: { startFrame: 60, endFrame: 110 } })
    assert.deepEqual(part.sums, sums.slice(60, 110))
  }
})

test('the ceiling stops a pass, and progress reaches its end', async (t) => {
  const folder = await clipFolder(t)
  const file = await makeClip(
    folder,
    `-f lavfi -i testsrc2=r=25:s=160x90:d=8 -f lavfi -i sine=d=8 ${h264} -c:a aac long.mp4`,
  )
  const parts: number[] = []
  const { sums, samples } = await passOver(folder, file, {
    maxSeconds: 2,
    onProgress: (part) => parts.push(part),
  })
  assert.equal(sums.length, 50)
  assert.ok(Math.abs(samples.length - 32_000) < 400)
  assert.equal(parts.at(-1), 1)
})

test('one pass writes proxy and sprites and hands out face frames with their numbers', async (t) => {
  const folder = await clipFolder(t)
  const file = await makeClip(
    folder,
    `-f lavfi -i testsrc2=r=50:s=1920x1080:d=2 -f lavfi -i sine=d=2 ${h264} -c:a aac big.mp4`,
  )
  const faces: number[] = []
  const { proxyFile } = await passOver(folder, file, {
    proxy: true,
    sprite: { intervalFrames: 25, tileWidth: 160, tileHeight: 90, columns: 2, rows: 2 },
    onFace(rgb, frame) {
      assert.equal(rgb.length, faceSide * faceSide * 3)
      faces.push(frame)
    },
  })
  assert.deepEqual(faces.slice(0, 4), [0, 4, 8, 12])
  assert.equal(faces.length, 25)
  const words =
    '-v error -count_frames -show_entries stream=codec_name,height,nb_read_frames,start_time'
  const { stdout } = await run('ffprobe', [
    ...words.split(' '),
    ...['-of', 'csv=p=0', path.join(folder, proxyFile ?? '')],
  ])
  assert.match(stdout, /^h264,540,0\.000000,100$/m)
  assert.match(stdout, /^aac,/m)
  const head = (await readFile(path.join(folder, 'proxy.mp4'))).subarray(0, 4096)
  assert.ok(head.includes('moov'), 'the index stands in front')
  assert.ok((await stat(path.join(folder, 'sprite-001.jpg'))).size > 1000)
})

test('the last frame of a proxy lasts as long as that of the clip', async (t) => {
  const folder = await clipFolder(t)
  // Slides: three frames, of which the last one stays for two seconds.
  const file = await makeClip(
    folder,
    `-f lavfi -i testsrc2=r=1:s=160x90:d=3 -vf settb=1/12800,setpts='if(eq(N\\,2)\\,6400\\,N*3200)'
     -fps_mode passthrough -enc_time_base 1:12800 ${h264} -bsf:v setts=duration=25600 slides.mp4`,
  )
  const { proxyFile } = await passOver(folder, file, { proxy: true })
  const words = '-v error -select_streams v -show_entries packet=duration -of csv=p=0'
  const proxy = path.join(folder, proxyFile ?? '')
  const { stdout } = await run('ffprobe', [...words.split(' '), proxy])
  const lengths = stdout
    .trim()
    .split('\n')
    .map((line) => Number.parseInt(line))
  assert.deepEqual(lengths, [3200, 3200, 25_600])
})

test('a header that claims odd pixels does not spoil the proxy', slow, async (t) => {
  const folder = await clipFolder(t)
  for (const [aspect, size] of [
    ['40', '1280,240'],
    ['1/40', '80,240'],
    ['4/3', '426,240'],
  ] as const) {
    const file = await makeClip(
      folder,
      `-f lavfi -i testsrc2=r=25:s=320x240:d=0.2,setsar=${aspect} ${h264} sar.mp4`,
    )
    const { outcome } = await passOver(folder, file, { proxy: true })
    assert.equal(outcome.end, 'done')
    const words = '-v error -show_entries stream=width,height -of csv=p=0'
    const proxy = path.join(folder, 'proxy.mp4')
    const { stdout } = await run('ffprobe', [...words.split(' '), proxy])
    assert.equal(stdout.trim(), size)
  }
})

test('a canceled pass ends at once and leaves no process', async (t) => {
  const folder = await clipFolder(t)
  const file = await makeClip(folder, `-f lavfi -i testsrc2=r=25:s=640x360:d=20 ${h264} c.mp4`)
  const stop = new AbortController()
  const { outcome, sums } = await passOver(folder, file, {
    signal: stop.signal,
    onProgress: () => stop.abort(),
  })
  assert.equal(outcome.end, 'canceled')
  assert.ok(sums.length < 500)
  const commands = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  )
  assert.ok(commands.length > 1)
  assert.ok(!commands.some((words) => words.includes(file)), 'nothing still reads the file')
})

test('a full disk fails a pass instead of shortening it', async (t) => {
  const folder = await clipFolder(t)
  const file = await makeClip(folder, `-f lavfi -i testsrc2=r=25:s=640x360:d=8 ${h264} c.mp4`)
  await symlink('/dev/full', path.join(folder, 'proxy.mp4'))
  await assert.rejects(passOver(folder, file, { proxy: true }), { code: 'ENOSPC' })
})
