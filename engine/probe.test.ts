import assert from 'node:assert/strict'
import { appendFile, copyFile, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { Media } from '../domain/findings/findings.ts'
import { clipFolder, makeClip } from './clips.testing.ts'
import { pdf, zip } from './documents/files.testing.ts'
import { conformNotes } from './extractors/ffprobe.ts'
import { probe } from './probe.ts'

const h264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p'

async function probeMedia(file: string) {
  const outcome = await probe(file)
  if (outcome.status !== 'media') throw new Error(JSON.stringify(outcome))
  Media.parse(outcome.media)
  return outcome
}

async function refusal(file: string) {
  const outcome = await probe(file)
  return outcome.status === 'refused' ? outcome.code : outcome.status
}

test('a constant rate is exact, with drop-frame timecode and reel from the tmcd track', async (t) => {
  const folder = await clipFolder(t)
  const file = await makeClip(
    folder,
    `-f lavfi -i testsrc2=r=30000/1001:s=320x180 -f lavfi -i sine -t 2 ${h264}
     -timecode 01:00:00;00 -metadata:s:v reel_name=A001C007 -c:a aac df.mov`,
  )
  const { media } = await probeMedia(file)
  assert.equal(media.frame_rate, '30000/1001')
  assert.equal(media.frames, 60)
  assert.equal(media.start_timecode, '01:00:00;00')
  assert.equal(media.drop_frame, true)
  assert.equal(media.reel, 'A001C007')
  assert.equal(media.audio.length, 1)
  assert.equal(media.duration_time, '1001/500')
})

test('a bare stream is refused with what to do', async (t) => {
  const folder = await clipFolder(t)
  const file = await makeClip(folder, `-f lavfi -i testsrc2=r=25:s=64x36:d=1 ${h264} -f h264 a.264`)
  const outcome = await probe(file)
  assert.ok(outcome.status === 'refused')
  assert.match(outcome.message, /put it into a MOV/)
})

test('sound that starts late does not make the media longer', async (t) => {
  const folder = await clipFolder(t)
  const source = '-f lavfi -i testsrc2=r=25:s=64x36:d=6 -itsoffset 2.5 -f lavfi -i sine=d=2'
  for (const name of ['late.mkv', 'late.mp4', 'late.ts']) {
    const file = await makeClip(folder, `${source} ${h264} -c:a aac ${name}`)
    assert.equal((await probeMedia(file)).media.duration_time, '6/1', name)
  }
  // Of a track that begins late only the length of the file is known.
  const last = '-f lavfi -i testsrc2=r=5:s=64x36:d=30 -itsoffset 20 -f lavfi -i sine=d=2'
  const file = await makeClip(folder, `${last} ${h264} -c:a aac last.mkv`)
  assert.equal((await probeMedia(file)).media.duration_time, '30/1')
})

test('a file whose end is missing lasts as long as what is there', async (t) => {
  const folder = await clipFolder(t)
  const file = await makeClip(
    folder,
    `-f lavfi -i testsrc2=r=25:s=64x36:d=6 -f lavfi -i sine=d=6 ${h264} -c:a pcm_s16le
     -movflags +faststart whole.mov`,
  )
  const { size } = await stat(file)
  await truncate(file, Math.round(size / 2))
  const { media, details } = await probeMedia(file)
  assert.ok(media.duration > 1 && media.duration < 4, `${media.duration}`)
  assert.equal(details.incomplete, true)
  const codes = conformNotes(media, details).map(({ code }) => code)
  assert.ok(codes.includes('incomplete') && !codes.includes('audio_longer'), codes.join())
})

test('a timecode track that counts half the frames is rescaled to the frame rate', async (t) => {
  const folder = await clipFolder(t)
  const make = (rate: string, name: string) =>
    makeClip(
      folder,
      `-f lavfi -i testsrc2=r=${rate}:s=64x36:d=1 ${h264} -timecode 10:00:58:14 ${name}`,
    )
  const fast = await make('60000/1001', 'fast.mov')
  const slow = await make('30000/1001', 'slow.mov')
  const file = await makeClip(folder, `-i ${fast} -i ${slow} -map 0:v -map 1:d -c copy both.mov`)
  assert.equal((await probeMedia(fast)).media.start_timecode, '10:00:58:14')
  assert.equal((await probeMedia(file)).media.start_timecode, '10:00:58:28')
})

test('the clock of a sound recorder is the start timecode', async (t) => {
  const folder = await clipFolder(t)
  const wave = '-f lavfi -i sine=d=1 -ar 48000 -write_bext 1 -metadata'
  const samples = 48_000 * (36_000 + 58) + 24_000
  const known = await makeClip(folder, `${wave} time_reference=${samples} a.wav`)
  const unknown = await makeClip(folder, `${wave} description=none b.wav`)
  const { media } = await probeMedia(known)
  assert.equal(media.start_timecode, '10:00:58:13')
  assert.deepEqual(media.time_reference, { samples, sample_rate: 48_000 })
  const none = (await probeMedia(unknown)).media
  assert.equal(none.start_timecode, null)
  assert.equal(none.time_reference, undefined)
})

test('the field that is shown first is known', async (t) => {
  const folder = await clipFolder(t)
  const fields = '-f lavfi -i testsrc2=r=50:s=320x180:d=1 -c:v mpeg2video -flags +ildct+ilme'
  const upper = await makeClip(folder, `${fields} -vf tinterlace=4 -top 1 a.mpg`)
  const lower = await makeClip(folder, `${fields} -vf tinterlace=5 -top 0 b.mpg`)
  const none = await makeClip(folder, `-f lavfi -i testsrc2=r=50:s=64x36:d=1 ${h264} c.mp4`)
  const orders = [upper, lower, none].map(
    async (file) => (await probeMedia(file)).media.field_order,
  )
  assert.deepEqual(await Promise.all(orders), ['upper', 'lower', 'progressive'])
})

test('a variable rate keeps every frame and its own time', async (t) => {
  const folder = await clipFolder(t)
  const file = await makeClip(
    folder,
    `-f lavfi -i testsrc2=r=30:s=320x180:d=4 -vf select='not(eq(mod(n\\,7)\\,3))' -fps_mode vfr
     ${h264} vfr.mp4`,
  )
  const { media, details } = await probeMedia(file)
  assert.equal(media.variable_frame_rate, true)
  assert.equal(media.frames, 103)
  assert.equal(media.frame_rate, '30/1')
  assert.equal(details.clock.frameAt(100 / 30), 86)
})

test('frames that an edit list hides are not counted', async (t) => {
  const folder = await clipFolder(t)
  const whole = await makeClip(
    folder,
    `-f lavfi -i testsrc2=r=24000/1001:s=320x180:d=5 -c:v libx264 -bf 4 -g 48 whole.mp4`,
  )
  const file = await makeClip(folder, `-ss 1.37 -i ${whole} -c copy cut.mp4`)
  const { media, details } = await probeMedia(file)
  assert.ok((details.video?.hiddenFrames ?? 0) > 20, 'the pre-roll is hidden')
  assert.equal(media.frame_rate, '24000/1001')
  assert.equal(media.frames + (details.video?.hiddenFrames ?? 0), 120)
})

test('a transport stream that starts late keeps its offsets', async (t) => {
  const folder = await clipFolder(t)
  const file = await makeClip(
    folder,
    `-f lavfi -i testsrc2=r=25:s=320x180:d=3 -itsoffset 0.4 -f lavfi -i sine=d=2.6 ${h264}
     -c:a aac -output_ts_offset 10 late.ts`,
  )
  const { media, details } = await probeMedia(file)
  assert.equal(media.frames, 75)
  const video = details.video?.startSeconds ?? 0
  assert.ok(video > 10, 'the picture starts after ten seconds')
  assert.ok(Math.abs((details.audio?.startSeconds ?? 0) - video - 0.4) < 0.05)
})

test('sound that begins after megabytes of picture is sound', async (t) => {
  const folder = await clipFolder(t)
  const clip = await makeClip(
    folder,
    `-f lavfi -i testsrc=s=64x36:r=5:d=12 -itsoffset 9 -f lavfi -i sine=d=2:r=48000
     -c:v libx264 -preset ultrafast -bf 0 -c:a aac late.ts`,
  )
  const bytes = await readFile(clip)
  const packets = Array.from({ length: bytes.length / 188 }, (_, at) => at * 188)
  // The second stream's packets; the first of them stands before its sound begins.
  const sound = packets.find((at) => (bytes.readUInt16BE(at + 1) & 0x1fff) === 0x101)
  assert.ok(sound)
  const filler = Buffer.alloc(188, 0xff)
  filler.writeUInt32BE(0x471fff10)
  const between = Buffer.concat(Array.from({ length: 40_000 }, () => filler))
  const file = path.join(folder, 'far.ts')
  await writeFile(file, Buffer.concat([bytes.subarray(0, sound), between, bytes.subarray(sound)]))
  const { media, details } = await probeMedia(file)
  assert.deepEqual([media.audio[0]?.channels, media.audio[0]?.sample_rate], [1, 48_000])
  assert.ok(Math.abs((details.audio?.startSeconds ?? 0) - details.video!.startSeconds - 9) < 0.1)
})

test('rotation is reported in degrees clockwise', async (t) => {
  const folder = await clipFolder(t)
  const file = await makeClip(folder, `-f lavfi -i testsrc2=s=320x180:d=1 ${h264} turned.mp4`)
  // Each version of ffmpeg has another option for it: a phone's own matrix, right and up to left.
  const bytes = await readFile(file)
  const matrix = bytes.indexOf('tkhd') + 44
  for (const [at, value] of [0, 1, 0, -1, 0].entries()) {
    bytes.writeInt32BE(value * 0x10000, matrix + 4 * at)
  }
  await writeFile(file, bytes)
  assert.equal((await probeMedia(file)).media.rotation, 90)
})

test('sound alone counts frames at 25 per second', async (t) => {
  const folder = await clipFolder(t)
  const file = await makeClip(folder, '-f lavfi -i sine=d=2.5 tone.flac')
  const { media } = await probeMedia(file)
  assert.equal(media.kind, 'audio')
  assert.equal(media.frames, 63)
  assert.equal(media.duration_time, '5/2')
})

test('a cover picture does not make a song a film', async (t) => {
  const folder = await clipFolder(t)
  const cover = await makeClip(folder, '-f lavfi -i testsrc2=s=64x64 -frames:v 1 cover.png')
  const file = await makeClip(
    folder,
    `-f lavfi -i sine=d=2 -i ${cover} -map 0 -map 1 -c:a libmp3lame -c:v copy
     -disposition:v attached_pic song.mp3`,
  )
  assert.equal((await probeMedia(file)).media.kind, 'audio')
})

test('an image is an image, whatever its name', async (t) => {
  const folder = await clipFolder(t)
  const png = await makeClip(folder, '-f lavfi -i testsrc2=s=64x48 -frames:v 1 still.png')
  const renamed = path.join(folder, 'still.mp4')
  await copyFile(png, renamed)
  const outcome = await probe(renamed)
  assert.equal(outcome.status, 'plain')
  if (outcome.status !== 'plain') return
  assert.deepEqual([outcome.media.kind, outcome.media.width], ['image', 64])
})

test('a text is a text, however it begins', async (t) => {
  const folder = await clipFolder(t)
  const texts = [
    'File Name: interview.mp3\nSpeaker 1: Hello.\n',
    '# Notes\nFile list\n',
    'The free world\n',
    'FORMAT: 16:9\n',
    'MAC and PC\n',
    'RIFF on a theme\n',
  ]
  for (const text of texts) {
    const file = path.join(folder, 'notes.txt')
    await writeFile(file, text)
    const outcome = await probe(file)
    assert.equal(outcome.status === 'plain' && outcome.media.kind, 'document', text)
  }
})

test('a playlist named .mp4 is refused before any tool opens it', async (t) => {
  const folder = await clipFolder(t)
  const other = await makeClip(folder, `-f lavfi -i testsrc2=d=1 ${h264} other.mp4`)
  const playlists = [
    `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://${other}\n#EXT-X-ENDLIST\n`,
    `\n  #EXTM3U\n#EXTINF:1,\n${other}\n`,
    `ffconcat version 1.0\nfile ${other}\n`,
    `file '${other}'\n`,
    `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"></MPD>`,
    `v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nc=IN IP4 127.0.0.1\r\nm=video 5004 RTP/AVP 96\r\n`,
    `[playlist]\nFile1=${other}\n`,
  ]
  for (const text of playlists) {
    const file = path.join(folder, 'clip.mp4')
    await writeFile(file, text)
    assert.equal(await refusal(file), 'unsupported_source', text)
  }
})

test('a picture of too many pixels is refused', async (t) => {
  const folder = await clipFolder(t)
  const file = path.join(folder, 'bomb.png')
  await writeFile(file, blankPng(16_384, 16_384))
  assert.equal(await refusal(file), 'too_large')
})

test('empty, cut and torn files are refused with a reason', async (t) => {
  const folder = await clipFolder(t)
  const empty = path.join(folder, 'empty.mp4')
  await writeFile(empty, '')
  assert.equal(await refusal(empty), 'probe_failed')
  const whole = await makeClip(folder, `-f lavfi -i testsrc2=d=2 ${h264} whole.mp4`)
  await truncate(whole, 2000)
  assert.equal(await refusal(whole), 'probe_failed')
})

test('a header that lies about its length does not change what is found', async (t) => {
  const folder = await clipFolder(t)
  const file = await makeClip(folder, `-f lavfi -i testsrc2=r=25:d=2 ${h264} lie.mp4`)
  const bytes = await readFile(file)
  for (const box of ['mvhd', 'tkhd', 'mdhd']) {
    const at = bytes.indexOf(box)
    assert.ok(at > 0)
    bytes.writeUInt32BE(1_000_000_000, at + (box === 'tkhd' ? 24 : 20))
  }
  await writeFile(file, bytes)
  const { media } = await probeMedia(file)
  assert.ok(media.duration < 3, `${media.duration} s`)
  assert.equal(media.frames, 50)
})

test('documents count their pages and unknown bytes are no fault', async (t) => {
  const folder = await clipFolder(t)
  const pagesOf = async (name: string, bytes: Buffer | string) => {
    const file = path.join(folder, name)
    await writeFile(file, bytes)
    const outcome = await probe(file)
    assert.equal(outcome.status, 'plain')
    return outcome.status === 'plain' ? [outcome.media.kind, outcome.media.pages] : []
  }
  assert.deepEqual(await pagesOf('a.txt', 'é'.repeat(3601)), ['document', 3])
  assert.deepEqual(await pagesOf('a.pdf', pdf(['one', 'two'])), ['document', 2])
  assert.deepEqual(await pagesOf('b.pdf', '%PDF-1.4\nbroken'), ['document', 1])
  assert.deepEqual(await pagesOf('x.bin', Buffer.alloc(5000, 0x91)), ['other', null])
  const unread: Record<string, Buffer | string> = {
    'a.rtf': '{\\rtf1\\ansi Hello}',
    'a.odt': zip({ 'content.xml': '<office:body><text:p>Hello</text:p></office:body>' }),
    'a.xlsx': zip({ 'xl/worksheets/sheet1.xml': '<row/>' }),
    'a.pptx': zip({ 'ppt/slides/slide1.xml': '<p:sld/>' }),
    'a.epub': zip({ 'book.opf': '<package/>', 'a.xhtml': '<html/>' }),
    'a.doc': Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(5000)]),
  }
  for (const [name, bytes] of Object.entries(unread)) {
    assert.deepEqual(await pagesOf(name, bytes), ['other', null], name)
  }
})

test('a film whose clock runs a hundred times too fast is refused, slow motion is not', async (t) => {
  const folder = await clipFolder(t)
  const clip = await makeClip(
    folder,
    `-f lavfi -i testsrc2=size=64x36:rate=50:d=30 ${h264} film.mp4`,
  )
  const fast = '-c copy -bsf:v setts=ts=TS/100:duration=DURATION/100'
  for (const name of ['fast.mp4', 'fast.mkv']) {
    const outcome = await probe(await makeClip(folder, `-i ${clip} ${fast} ${name}`))
    assert.equal(outcome.status === 'refused' && outcome.code, 'unsupported_source')
  }
  const slow = await makeClip(
    folder,
    `-f lavfi -i testsrc2=size=64x36:rate=480:d=2 ${h264} slow.mp4`,
  )
  assert.equal((await probeMedia(slow)).media.frames, 960)
})

test('a name with a dash, a colon or a scheme is only a name', async (t) => {
  const folder = await clipFolder(t)
  const plain = await makeClip(folder, `-f lavfi -i testsrc2=d=1 ${h264} plain.mp4`)
  for (const name of ['-i.mp4', 'http:evil.mp4', 'a b é 日本.mp4', 'concat:x|y']) {
    const file = path.join(folder, name)
    await copyFile(plain, file)
    assert.equal((await probeMedia(file)).media.frames, 25)
  }
})

test('garbage after the end does no harm, and canceling ends the probe', async (t) => {
  const folder = await clipFolder(t)
  const file = await makeClip(folder, `-f lavfi -i testsrc2=d=1 ${h264} tail.mp4`)
  await appendFile(file, Buffer.alloc(100_000, 0xff))
  assert.equal((await probeMedia(file)).media.frames, 25)
  const outcome = await probe(file, { signal: AbortSignal.abort() })
  assert.equal(outcome.status === 'refused' && outcome.code, 'canceled')
})

function blankPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc((width / 8 + 1) * height))
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const parts = [chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...parts])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

function crc32(bytes: Buffer): number {
  let crc = ~0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}
