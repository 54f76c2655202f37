import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import type { ExtractorId } from '../../domain/money/catalogue.ts'
import type { Findings } from '../../domain/findings/findings.ts'
import { toNumber } from '../../domain/time/rational.ts'
import { analyse } from '../analyse.ts'
import type { AnalyseInput } from '../analyse.ts'
import { clipFolder, makeClip } from '../clips.testing.ts'
import { takeFrames } from '../media/take-frames.ts'
import { packageFolder } from '../models/weights.ts'
import { probe } from '../probe.ts'
import type { MediaDetails } from '../probe.ts'
import { gatherFilm } from './gather-film.ts'
import { pieceName, readPieces, writeFilm } from './artifacts.ts'
import { hasProxySound } from './hear-film.ts'
import { planFilm } from './plan-film.ts'
import type { Film } from './plan-film.ts'
import { neededFiles, offeredFiles, runPart } from './run-part.ts'
import type { PartEnd, PartOrder } from './run-part.ts'
import { slow } from '../../test/support/slow.ts'

const sample = path.join(import.meta.dirname, '../../assets/sample.mp4')
const videoNeed: ExtractorId[] = ['ffprobe', 'shots', 'thumbnail', 'talking', 'cutpoints', 'text']

/** Findings of one part and of many, with the names of the files that they leave. */
async function inParts(
  t: TestContext,
  file: string,
  order: Partial<AnalyseInput> & { segmentSeconds: number },
): Promise<{ parts: number; results: string[] }> {
  const probed = await probe(file)
  assert.equal(probed.status, 'media')
  const { media, details } = probed
  const film = planFilm({ media, details, needs: new Set(['changes']), hearsWords: false }, order)
  const parts = film?.segments.length ?? 0
  const results: string[] = []
  for (const count of [1, parts]) {
    const workDir = path.join(await clipFolder(t), 'work')
    const { findings, outcomes, media, seconds } = await analyse({
      file,
      extractors: videoNeed,
      workDir,
      parts: count,
      ...order,
    })
    const files = Object.values(findings.thumbnail ?? {}).length > 0 ? await readdir(workDir) : []
    const kept = files.filter((name) => /^(still|sprite|poster|waveform|proxy\.mp4)/.test(name))
    assert.deepEqual(
      files.filter((name) => /^proxy-\d/.test(name)),
      [],
      'nothing is left of its pieces',
    )
    await assertStills(workDir, details, findings.thumbnail)
    results.push(JSON.stringify({ findings, outcomes, media, seconds, kept: kept.sort() }))
  }
  return { parts, results }
}

/** Stills are taken from pieces of the proxy; the proxy itself shows the same frames. */
async function assertStills(
  workDir: string,
  { clock }: MediaDetails,
  thumbnail: Findings['thumbnail'] | undefined,
): Promise<void> {
  const stills = thumbnail?.stills ?? []
  assert.equal(stills.length > 0, thumbnail !== undefined)
  const start = toNumber(clock.timeOf(thumbnail?.proxy?.start_frame ?? 0))
  const frames = stills.map(({ file, frame }) => ({
    file: `from-proxy-${file}`,
    seconds: toNumber(clock.timeOf(frame)) - start - 0.001,
  }))
  const proxy = path.join(workDir, 'proxy.mp4')
  await takeFrames({ file: proxy, outDir: workDir, frames, maxWidth: 480 })
  for (const { file } of stills) {
    const [own, same] = await Promise.all(
      [file, `from-proxy-${file}`].map((name) => readFile(path.join(workDir, name))),
    )
    assert.ok(own!.equals(same!), file)
  }
}

test('the sample clip gives the same findings in one part and in many', slow, async (t) => {
  const folder = await clipFolder(t)
  const file = await makeClip(
    folder,
    `-i ${sample} -c:v libx264 -preset veryfast -g 30 -bf 3 -c:a copy cut.mp4`,
  )
  const { parts, results } = await inParts(t, file, { segmentSeconds: 4 })
  assert.equal(parts, 5)
  assert.equal(results[1], results[0])
  const { outcomes } = JSON.parse(results[0]!) as { outcomes: Record<string, { status: string }> }
  assert.deepEqual([...new Set(Object.values(outcomes).map(({ status }) => status))], ['done'])
})

/** Two people, one after the other, who move a little; every second begins with a key picture. */
const people = path.join(packageFolder('@vladmandic/human'), 'assets/screenshot-facedetect.jpg')
const twoPeople = [
  `[0]crop=150:150:8+4*t:345,scale=320:320,format=yuv420p,split[a][c]`,
  `[1]crop=150:150:165:345-3*t,scale=320:320,format=yuv420p[b]`,
  '[a]trim=end=3,setpts=PTS-STARTPTS[a1]',
  '[b]trim=end=2,setpts=PTS-STARTPTS[b1]',
  '[c]trim=end=3,setpts=PTS-STARTPTS[c1]',
  '[a1][b1][c1]concat=n=3,fps=25',
].join(';')

async function makePeople(folder: string): Promise<string> {
  const still = `-loop 1 -r 25 -t 4 -i ${people}`
  return await makeClip(
    folder,
    `${still} ${still} -stream_loop -1 -i ${sample} -filter_complex ${twoPeople}[v] -map [v] -map 2:a
     -t 8 -c:v libx264 -preset ultrafast -crf 12 -g 25 -bf 2 -c:a aac people.mov`,
  )
}

const containers = {
  'a variable rate':
    "-i people.mov -vf select='not(eq(mod(n\\,5)\\,2))' -fps_mode vfr -c:v libx264 -preset ultrafast -g 25 -c:a aac vfr.mp4",
  // It begins between two key frames: earlier frames are in the file but hidden.
  'an edit list': '-ss 1.3 -i people.mov -c copy edit.mov',
  MXF: '-i people.mov -c:v mpeg2video -q:v 3 -bf 2 -g 12 -c:a pcm_s16le -ar 48000 film.mxf',
  'groups that lean on each other':
    '-i people.mov -c:v libx264 -preset veryfast -g 25 -bf 3 -x264-params open-gop=1 -c:a ac3 -f mpegts film.ts',
}

for (const [name, words] of Object.entries(containers)) {
  test(`${name} gives the same findings in one part and in many`, slow, async (t) => {
    const folder = await clipFolder(t)
    await makePeople(folder)
    const file = await makeClip(folder, words)
    const hasFaces = name === 'a variable rate'
    const more: ExtractorId[] = hasFaces ? ['talking', 'cutpoints'] : []
    const extractors: ExtractorId[] = ['shots', 'thumbnail', ...more]
    const { parts, results } = await inParts(t, file, { segmentSeconds: 2, extractors })
    assert.ok(parts >= 3, String(parts))
    assert.equal(results[1], results[0])
    const { findings } = JSON.parse(results[0]!) as { findings: Findings }
    const faces = findings.talking?.faces.length
    assert.equal(faces, hasFaces ? 2 : undefined, 'a face is known again after each break')
    assert.ok((findings.shots?.changes.length ?? 0) >= 2)
  })
}

test('a range of a film gives the same findings in one part and in many', slow, async (t) => {
  const folder = await clipFolder(t)
  const file = await makePeople(folder)
  const extractors: ExtractorId[] = ['shots', 'thumbnail']
  const order = { segmentSeconds: 2, extractors, in: 1.5, out: 7.1, maxSeconds: 6 }
  const { results } = await inParts(t, file, order)
  assert.equal(results[1], results[0])
  const { findings } = JSON.parse(results[0]!) as { findings: Findings }
  assert.equal(findings.thumbnail?.proxy?.start_frame, 37)
})

test(
  'a film whose sound goes on gives the same findings in one part and in many',
  slow,
  async (t) => {
    const folder = await clipFolder(t)
    const people = await makePeople(folder)
    const words = `-i ${people} -f lavfi -i sine=d=12 -map 0:v -map 1:a -c:v copy -c:a aac late.mp4`
    const file = await makeClip(folder, words)
    const extractors: ExtractorId[] = ['shots', 'thumbnail']
    const { parts, results } = await inParts(t, file, {
      segmentSeconds: 2,
      extractors,
      maxSeconds: 12,
    })
    assert.equal(parts, 4)
    assert.equal(results[1], results[0])
    const { findings, seconds } = JSON.parse(results[0]!) as { findings: Findings; seconds: number }
    assert.equal(Math.round(seconds), 12)
    assert.equal(Math.round(findings.thumbnail!.waveform!.count / 100), 12)
  },
)

test(
  'a film whose pictures are not those that its packets promise is looked at in one go',
  slow,
  async (t) => {
    const folder = await clipFolder(t)
    const whole = await makePeople(folder)
    const bytes = await readFile(whole)
    const file = path.join(folder, 'damaged.mov')
    // A second of frames that no decoder can use.
    const from = Math.floor(bytes.length * 0.5)
    await writeFile(file, bytes.fill(0, from, from + Math.floor(bytes.length * 0.12)))
    const probed = await probe(file)
    assert.equal(probed.status, 'media')
    const wanted = { needs: new Set(['changes'] as const), hearsWords: false }
    const film = planFilm({ ...probed, ...wanted }, { segmentSeconds: 2 })
    assert.ok(film)
    const { end } = await gatherFilm(film, { file, workDir: folder, parts: 4 })
    assert.equal(end, 'unlike')
    const { results } = await inParts(t, file, { segmentSeconds: 2, extractors: ['shots'] })
    assert.equal(results[1], results[0])
  },
)

test('segments begin at key pictures and cover every frame once', async (t) => {
  const folder = await clipFolder(t)
  const probed = await probe(await makePeople(folder))
  assert.equal(probed.status, 'media')
  const wanted = { needs: new Set(['changes'] as const), hearsWords: false }
  const film = planFilm({ ...probed, ...wanted }, { segmentSeconds: 2 })
  assert.deepEqual(
    film?.segments.map(({ startFrame, endFrame }) => [startFrame, endFrame]),
    [
      [0, 50],
      [50, 100],
      [100, 150],
      [150, 200],
    ],
  )
  assert.equal(planFilm({ ...probed, ...wanted }), null, 'a clip is looked at in one go')
  const { video } = probed.details
  const late = { ...probed.details, video: video && { ...video, keys: video.keys.slice(0, 1) } }
  const long = planFilm({ ...probed, details: late, ...wanted }, { segmentSeconds: 2 })
  assert.equal(long, null, 'without key pictures there is nowhere to begin')
})

/** The packets of its sound, as they are in the file. */
async function soundOf(file: string): Promise<Buffer> {
  const args = ['-v', 'error', '-i', file, '-map', '0:a', '-c', 'copy', '-f', 'adts', '-']
  const { stdout } = await promisify(execFile)('ffmpeg', args, { encoding: 'buffer' })
  return stdout
}

test('a film without frames to read is divided by its speech', async (t) => {
  const folder = await clipFolder(t)
  const probed = await probe(await makePeople(folder))
  assert.equal(probed.status, 'media')
  const needs = new Set(['sound', 'voice'] as const)
  const plan = (order: object) =>
    planFilm({ ...probed, needs, hearsWords: true, ...order }, { segmentSeconds: 2 })
  assert.deepEqual(plan({})?.segments, [])
  assert.equal(plan({ hearsWords: false }), null, 'nothing but words is divided')
  assert.equal(plan({ maxSeconds: 3.9 }), null, 'a clip is heard in one go')
})

type PartInput = Pick<PartOrder, 'kind'> & { file?: string; position: number; options?: object }

const madeWord: ExtractorId[] = ['ffprobe', 'thumbnail', 'transcription', 'cutpoints']
const apart: Record<string, { words?: string; order: Partial<AnalyseInput> }> = {
  'a film': { order: { extractors: [...madeWord, 'shots'] } },
  'a recording of sound': {
    words: '-i people.mov -vn -c:a pcm_s16le people.wav',
    order: { extractors: madeWord },
  },
  'a film of which only the words are wanted': {
    order: { extractors: ['transcription'], in: 0.5, maxSeconds: 7 },
  },
}

for (const [name, { words, order }] of Object.entries(apart)) {
  test(`${name} comes to the same when its parts are run apart`, slow, async (t) => {
    const folder = await clipFolder(t)
    const film = await makePeople(folder)
    const file = words ? await makeClip(folder, words) : film
    await assertSameApart(folder, { extractors: madeWord, ...order, file, segmentSeconds: 2 })
  })
}

/** Runs each part in a folder of its own and compares with what one go finds. */
async function assertSameApart(
  folder: string,
  order: Omit<AnalyseInput, 'workDir'>,
): Promise<void> {
  const { file } = order
  const whole = await analyse({ ...order, workDir: path.join(folder, 'whole') })
  const [shared, joined] = [path.join(folder, 'shared'), path.join(folder, 'joined')]
  await Promise.all([shared, joined].map((name) => mkdir(name)))
  let film: Film | null = null
  const prepared = await analyse({
    ...order,
    workDir: path.join(folder, 'prepare'),
    async onFilm(planned) {
      film = planned
      await writeFilm(shared, planned)
      return true
    },
  })
  const own = Object.keys(prepared.outcomes)
  assert.deepEqual(own, order.extractors.includes('ffprobe') ? ['ffprobe'] : [], 'the rest is left')
  assert.ok(film)
  const { segments } = film as Film
  /** Brings what a part needs, runs it and hands its files on. */
  const run = async (part: PartInput): Promise<Extract<PartEnd, { end: 'done' }>> => {
    const workDir = await mkdtemp(path.join(folder, 'part-'))
    const there = await readdir(shared)
    const offered = offeredFiles(part).filter((name) => there.includes(name))
    for (const name of [...neededFiles(part), ...offered]) {
      await copyFile(path.join(shared, name), path.join(workDir, name))
    }
    const end = await runPart({ ...part, workDir } as PartOrder)
    assert.ok(end.end === 'done')
    for (const name of end.files) {
      await copyFile(path.join(workDir, name), path.join(shared, pieceName(name, part.position)))
    }
    return end
  }
  // In any order: the last segment first.
  for (const position of [...segments.keys()].reverse()) {
    await run({ kind: 'frames', file, position })
  }
  const { speech } = await run({ kind: 'sound', file, position: 0 })
  assert.ok(speech.length > 0)
  if (hasProxySound(film)) await run({ kind: 'proxy', file, position: 0 })
  await run({ kind: 'voices', position: 0, options: {} })
  for (const position of speech.keys()) await run({ kind: 'speech', position, options: {} })
  for (const name of await readdir(shared)) {
    await copyFile(path.join(shared, name), path.join(joined, name))
  }
  const result = await analyse({
    ...order,
    file: path.join(folder, 'gone'),
    workDir: joined,
    done: prepared.findings,
    pieces: await readPieces(joined),
  })
  assert.equal(JSON.stringify(result), JSON.stringify(whole))
  assert.ok((whole.findings.transcription?.words.length ?? 0) > 3)
  if (!order.extractors.includes('thumbnail')) return
  const [once, apart] = await Promise.all(
    [path.join(folder, 'whole'), joined].map((name) => soundOf(path.join(name, 'proxy.mp4'))),
  )
  assert.ok(once!.length > 1000)
  assert.deepEqual(apart, once, 'the proxy sounds as it does in one go')
}
