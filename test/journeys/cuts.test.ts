/** Rough cuts through HTTP: saved by version, read as text, sources of every kind. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { before, test } from 'node:test'
import { fromBufferPromise } from 'yauzl'
import { addRanges, moveSpan, newRange, strike } from '../../domain/cuts/cut-edit.ts'
import { cutTranscript, spanOf, spokenText } from '../../domain/cuts/cut-text.ts'
import { cutEvents, cutFrames } from '../../domain/cuts/cut-times.ts'
import { cutLimits } from '../../domain/cuts/cut-limits.ts'
import { cutExportFormats } from '../../domain/export-formats.ts'
import type { Cut } from '../../contract/footage/cuts.ts'
import { noCorrections } from '../../domain/findings/no-corrections.ts'
import type { FindingsOf } from '../../domain/findings/findings.ts'
import { parseFcpxml } from '../export-parsers/fcpxml.ts'
import { find, parseXml } from '../export-parsers/xml.ts'
import { startTestServer } from '../support/app.ts'
import type { TestUser } from '../support/app.ts'
import { addClip } from '../support/library-clips.ts'
import type { LibraryClip } from '../support/library-clips.ts'
import { use } from '../support/use.ts'

const server = use(startTestServer)
const user = use(() => server.user())
let projectId: string
let fog: LibraryClip
let boat: LibraryClip
let film: LibraryClip

before(async () => {
  projectId = (await user.client.createProject({ body: { name: 'River' } })).project.id
  fog = await addClip(server, user, {
    name: 'A001.mov',
    frames: 250,
    projectId,
    words: [
      ['We', 0, 10, 'Lena'],
      ['waited', 10, 25, 'Lena'],
      ['um', 30, 40, 'Lena'],
      ['for', 40, 50, 'Lena'],
      ['the', 50, 55, 'Tom'],
      ['fog', 55, 75, 'Tom'],
    ],
  })
  boat = await addClip(server, user, { name: 'B001.mov', frames: 500, projectId })
  film = await addClip(server, user, { name: 'F001.mov', frames: 240, rate: '24/1', projectId })
})

async function create(body: Partial<Parameters<TestUser['client']['createCut']>[0]['body']> = {}) {
  return user.client.createCut({ body: { project_id: projectId, name: 'Opening', ...body } })
}

/** Keeps the fields of a read cut that a save takes. */
function bodyOf({ id: _, project_id: __, created_at: ___, updated_at: ____, ...body }: Cut) {
  return body
}

test('a cut of many clips is saved by version and counts its frames', async () => {
  const { client } = user
  const ranges = [
    newRange({ content_id: fog.contentId, in: 0, out: 75, name: 'Fog' }),
    newRange({ content_id: boat.contentId, in: 100, out: 200 }),
    newRange({ content_id: film.contentId, in: 0, out: 48 }),
  ]
  const { cut, sources } = await create({ ranges })
  assert.deepEqual(
    [cut.version, cut.frame_rate, cut.drop_frame, cut.start_timecode],
    [1, '25/1', false, '01:00:00:00'],
  )
  assert.deepEqual(
    sources.map((source) => [source.name, source.offline, source.transcribed, source.frames]),
    [
      ['A001.mov', false, true, 250],
      ['B001.mov', false, false, 500],
      ['F001.mov', false, false, 240],
    ],
  )
  // Two seconds of 24 fps are 50 frames of 25.
  assert.equal(cutFrames(cut, sources), 75 + 100 + 50)
  const struck = strike(cut.ranges, ranges[0]!.id, { in: 30, out: 40 })
  const saved = await client.saveCut({
    params: { id: cut.id },
    body: { ...bodyOf(cut), ranges: struck, target_seconds: 360 },
  })
  assert.equal(saved.cut.version, 2)
  assert.deepEqual(
    cutEvents(saved.cut, saved.sources).map((event) => [event.in, event.out, event.recordIn]),
    [
      [0, 30, 0],
      [40, 75, 30],
      [100, 200, 65],
      [0, 48, 165],
    ],
  )
  const { cuts } = await client.listCuts({ query: { project_id: projectId } })
  const listed = cuts.find((item) => item.id === cut.id)
  assert.deepEqual([listed?.frames, listed?.seconds, listed?.range_count], [215, 8.6, 3])
  const first = await client.getCut({ params: { id: cut.id }, query: { version: 1 } })
  assert.deepEqual(first.cut.ranges[0]?.removed, [])
  const { versions } = await client.listCutVersions({ params: { id: cut.id } })
  assert.deepEqual(
    versions.map(({ version, frames }) => [version, frames]),
    [
      [2, 215],
      [1, 225],
    ],
  )
})

test('a cut that begins with sound takes the rate of its first video', async () => {
  const { client } = user
  const { project } = await client.createProject({ body: { name: 'Interview' } })
  const inProject = { frames: 250, projectId: project.id }
  const sound = { kind: 'audio' as const, frame_rate: '25/1', width: null, height: null }
  const wav = await addClip(server, user, { ...inProject, name: 'T01.WAV', media: sound })
  const rateOf = async (clips: LibraryClip[]): Promise<string> => {
    const ranges = clips.map((clip) => newRange({ content_id: clip.contentId, in: 0, out: 50 }))
    const { cut } = await create({ project_id: project.id, ranges })
    return cut.frame_rate
  }
  assert.equal(await rateOf([wav]), '25/1', 'without a video')
  const rate = '24000/1001'
  const mov = await addClip(server, user, { ...inProject, name: 'A001.MOV', rate })
  assert.equal(await rateOf([wav, mov]), rate)
  assert.equal(await rateOf([wav]), rate, 'of the project')
  assert.equal(await rateOf([wav, film, mov]), '24/1')
})

test('a save from an older version is refused with what is saved, and one of many wins', async () => {
  const { client } = user
  const { cut } = await create()
  const params = { id: cut.id }
  await client.saveCut({ params, body: { ...bodyOf(cut), name: 'Mine' } })
  await assert.rejects(
    client.saveCut({ params, body: { ...bodyOf(cut), name: 'Theirs' } }),
    (error) => {
      const { code, body } = error as { code: string; body: { saved: { cut: Cut } } }
      assert.equal(code, 'conflict')
      assert.deepEqual([body.saved.cut.version, body.saved.cut.name], [2, 'Mine'])
      return true
    },
  )
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, () =>
      client.saveCut({ params, body: { ...bodyOf(cut), version: 2 } }),
    ),
  )
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
})

test('the text of a cut follows its ranges, its struck words and the corrections', async () => {
  const { client } = user
  const { cut, sources } = await create({
    ranges: [
      newRange({ content_id: boat.contentId, in: 0, out: 50 }),
      newRange({ content_id: fog.contentId, in: 0, out: 75 }),
    ],
  })
  await client.saveCorrections({
    params: { id: fog.jobId },
    body: {
      ...noCorrections,
      words: [{ start: 55 / 25, end: 3, from: 'fog', to: 'frost' }],
      version: 0,
    },
  })
  const { transcripts } = await client.getCutTranscript({ params: { id: cut.id }, query: {} })
  const read = (item: Cut) => cutTranscript(item, sources, transcripts)
  assert.deepEqual(
    read(cut).map((passage) => [passage.clipName, passage.speaker, spokenText(passage)]),
    [
      ['B001.mov', null, ''],
      ['A001.mov', 'Lena', 'We waited um for'],
      ['A001.mov', 'Tom', 'the frost'],
    ],
  )
  const [, lena] = read(cut)
  const um = spanOf(lena!.words.filter((word) => word.text === 'um'))!
  const without = { ...cut, ranges: strike(cut.ranges, lena!.rangeId, um) }
  assert.equal(spokenText(read(without)[1]!), 'We waited for')
  assert.deepEqual(
    read(without)[1]!.words.map((word) => word.struck),
    [false, false, true, false],
  )
  const [, , tom] = read(without)
  const moved = { ...without, ranges: moveSpan(without.ranges, tom!.rangeId, tom!, 0) }
  assert.deepEqual(
    read(moved).map((passage) => [passage.recordIn, spokenText(passage)]),
    [
      [0, 'the frost'],
      [25, ''],
      [75, 'We waited for'],
    ],
  )
  const whole = await client.getCutTranscript({
    params: { id: cut.id },
    query: { content_id: fog.contentId },
  })
  assert.equal(whole.transcripts[0]?.words.length, 6)
  assert.deepEqual(whole.cut_points, [], 'it was not searched for them')
})

test('a speaker who is not sure has one mark, whatever shows it; nobody is an id', async () => {
  const clip = await addClip(server, user, {
    name: 'C001.mov',
    frames: 250,
    projectId,
    words: [
      ['Sure', 0, 20, 'voice-1'],
      ['maybe', 60, 80, 'voice-2'],
      ['seen', 120, 140, 'face-3'],
    ],
  })
  await doubt(clip, 'voice-2')
  const { cut } = await create({
    ranges: [newRange({ content_id: clip.contentId, in: 0, out: 250 })],
  })
  const fetchText = async (path: string): Promise<string> => {
    const answer = await server.fetch(`/v1${path}`, { token: user.token })
    assert.equal(answer.status, 200, path)
    return answer.text()
  }
  const names = ['Voice 1', 'Voice 2?', 'Person 3']
  const csv = await fetchText(`/jobs/${clip.jobId}/export?format=csv&section=words`)
  const rows = csv.trim().split('\r\n').slice(1)
  assert.deepEqual(
    rows.map((row) => row.split(',').at(-2)),
    names,
  )
  for (const path of [`/jobs/${clip.jobId}`, `/cuts/${cut.id}`]) {
    const vtt = await fetchText(`${path}/export?format=vtt`)
    assert.deepEqual(
      [...vtt.matchAll(/<v ([^>]+)>/g)].map(([, name]) => name),
      names,
    )
  }
  const { root } = parseFcpxml(await fetchText(`/jobs/${clip.jobId}/export?format=fcpxml`))
  const keywords = find(root, 'keyword').map((item) => item.attributes['value'])
  assert.deepEqual(keywords, names)
  const docx = await server.fetch(`/v1/cuts/${cut.id}/export?format=docx`, { token: user.token })
  assert.deepEqual(await boldTexts(Buffer.from(await docx.arrayBuffer())), names)
  // An id is what programs take, so JSON keeps it.
  const json = await fetchText(`/jobs/${clip.jobId}/export?format=json`)
  assert.match(json, /"voice-2"/)
})

/** Makes the voice of a clip's words a guess. */
async function doubt({ jobId }: LibraryClip, speaker: string): Promise<void> {
  const { db } = server.ctx
  const row = await db
    .selectFrom('job_extractors as e')
    .innerJoin('job_results as r', 'r.id', 'e.result_id')
    .select(['r.id', 'r.findings'])
    .where('e.job_id', '=', jobId)
    .where('e.extractor', '=', 'transcription')
    .executeTakeFirstOrThrow()
  const findings = row.findings as FindingsOf<'transcription'>
  const words = findings.words.map((word) => ({
    ...word,
    speaker_confidence: word.speaker === speaker ? 0.4 : 0.95,
  }))
  await db
    .updateTable('job_results')
    .set({ findings: JSON.stringify({ ...findings, words }) })
    .where('id', '=', row.id)
    .execute()
}

/** The bold runs of the table of a Word document, by its own grammar. */
async function boldTexts(file: Buffer): Promise<string[]> {
  const zip = await fromBufferPromise(file, { lazyEntries: true })
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName !== 'word/document.xml') continue
    const tree = parseXml(await text(await zip.openReadStreamPromise(entry)))
    return find(tree, 'tc')
      .flatMap((cell) => find(cell, 'r'))
      .filter((run) => find(run, 'b').length > 0)
      .map((run) =>
        find(run, 't')
          .map((part) => part.text)
          .join('')
          .trim(),
      )
  }
  throw new Error('No document')
}

test('a range outside of its clip is refused, and which one', async () => {
  const inside = newRange({ content_id: fog.contentId, in: 0, out: 250 })
  for (const [range, field, sentence] of [
    [{ in: 10, out: 251 }, 'ranges.1.out', /^Range 2 \(Late\): .*251.*A001\.mov has 250 frames/],
    [{ in: 10, out: 10 }, 'ranges.1.out', /must end after it starts/],
    [{ content_id: randomUUID() }, 'ranges.1.content_id', /clip was not found/],
    [{ id: inside.id }, 'ranges.1.id', /same id/],
  ] as const) {
    const bad = newRange({ content_id: fog.contentId, in: 0, out: 9, name: 'Late', ...range })
    await assert.rejects(create({ ranges: [inside, bad] }), (error) => {
      const { code, message, body } = error as {
        code: string
        message: string
        body: { field: string }
      }
      assert.deepEqual([code, body.field], ['invalid', field])
      assert.match(message, sentence)
      return true
    })
  }
})

test('2,000 ranges are saved, one more is refused', async () => {
  const many = addRanges(
    [],
    Array.from({ length: cutLimits.ranges }, (_, index) => ({
      content_id: fog.contentId,
      in: index % 200,
      out: (index % 200) + 10,
    })),
  )
  const { cut, sources } = await create({ ranges: many })
  assert.equal(cutFrames(cut, sources), 20_000)
  const more = addRanges(cut.ranges, [{ content_id: fog.contentId, in: 0, out: 1 }])
  await assert.rejects(
    user.client.saveCut({ params: { id: cut.id }, body: { ...bodyOf(cut), ranges: more } }),
    /at most 2000 ranges/,
  )
})

test('a clip deleted while in a cut stays as offline, with its words', async () => {
  const { client } = user
  const gone = await addClip(server, user, {
    name: 'Lost.mov',
    frames: 100,
    projectId,
    words: [['Gone', 10, 20]],
  })
  const ranges = [newRange({ content_id: gone.contentId, in: 0, out: 50 })]
  const { cut } = await create({ ranges })
  await client.deleteContent({ params: { id: gone.contentId } })
  const { sources } = await client.getCut({ params: { id: cut.id }, query: {} })
  assert.deepEqual(
    sources.map(({ name, offline, frames }) => [name, offline, frames]),
    [['Lost.mov', true, 100]],
  )
  const { transcripts } = await client.getCutTranscript({ params: { id: cut.id }, query: {} })
  assert.equal(transcripts[0]?.words[0]?.text, 'Gone')
  const saved = await client.saveCut({
    params: { id: cut.id },
    body: { ...bodyOf(cut), name: 'Still saves' },
  })
  assert.equal(saved.sources[0]?.offline, true)
  await assert.rejects(create({ ranges }), { code: 'invalid' })
})

test('every format of a cut of many sources is made, and says what it conformed', async () => {
  const { client } = user
  const twin = await addClip(server, user, { name: 'A001.mov', frames: 100, projectId })
  const shaky = await addClip(server, user, {
    name: 'Phone.mov',
    frames: 300,
    rate: '2997/100',
    projectId,
    media: { variable_frame_rate: true },
  })
  const lost = await addClip(server, user, { name: 'Lost.mov', frames: 50, projectId })
  await client.updateProject({
    params: { id: projectId },
    body: { media_folder: '/Volumes/River/Day 1' },
  })
  const { cut } = await create({
    frame_rate: '30000/1001',
    drop_frame: true,
    start_timecode: '01:00:00;00',
    ranges: [
      newRange({ content_id: fog.contentId, in: 0, out: 75, removed: [{ in: 30, out: 40 }] }),
      newRange({ content_id: twin.contentId, in: 50, out: 100, name: '<Wide> & "high"' }),
      newRange({ content_id: shaky.contentId, in: 100, out: 200 }),
      newRange({ content_id: film.contentId, in: 0, out: 48, disabled: true }),
      newRange({ content_id: lost.contentId, in: 0, out: 25 }),
    ],
  })
  await client.deleteContent({ params: { id: lost.contentId } })
  const { ticket } = await client.createCutTicket({ params: { id: cut.id } })
  const files = new Map<string, { body: Buffer; notes: string }>()
  for (const format of cutExportFormats) {
    const answer = await server.fetch(`/v1/cuts/${cut.id}/export?format=${format}&ticket=${ticket}`)
    assert.equal(answer.status, 200, format)
    const notes = decodeURIComponent(answer.headers.get('x-export-notes') ?? '')
    files.set(format, { body: Buffer.from(await answer.bytes()), notes })
  }
  const text = (format: string): string => files.get(format)!.body.toString()
  const { notes } = files.get('edl')!
  assert.match(notes, /A001\.mov: 25 fps placed by exact time on 29\.97 fps/)
  assert.match(notes, /2 sources are named a001\.mov: they are the reels A001, A001_2/)
  assert.match(notes, /Lost\.mov: offline/)
  assert.match(notes, /1 disabled range left out/)
  assert.match(notes, /Phone\.mov: Variable frame rate/)
  assert.match(
    text('edl'),
    /\* FROM CLIP NAME: A001\.mov\r\n\* SOURCE FILE: \/Volumes\/River\/Day 1\//,
  )
  assert.ok(!text('edl').includes('M2'))
  assert.match(text('edl'), /FCM: DROP FRAME/)
  assert.match(text('fcpxml'), /name="&lt;Wide&gt; &amp; &quot;high&quot;"/)
  assert.match(text('srt'), /We waited for/)
  assert.match(text('html'), /<s>/)
  assert.match(text('csv'), /disabled,1,,,F001\.mov/)
  assert.match(text('ale'), /FPS\t29\.97\r\n/)
  const docx = await fromBufferPromise(files.get('docx')!.body, { lazyEntries: false })
  assert.equal(docx.entryCount, 3)
  const longer = await server.fetch(
    `/v1/cuts/${cut.id}/export?format=json&handle_frames=10&ticket=${ticket}`,
  )
  const { clips } = (await longer.json()) as { clips: { source_in: number; source_out: number }[] }
  assert.deepEqual(
    clips.slice(0, 3).map((clip) => [clip.source_in, clip.source_out]),
    [
      [0, 40],
      [30, 85],
      [40, 100],
    ],
  )
  const empty = await create()
  const refused = await server.fetch(`/v1/cuts/${empty.cut.id}/export?format=edl`, {
    token: user.token,
  })
  assert.equal(refused.status, 422)
})

test('an empty cut of a project without a rate takes that of its first clip', async () => {
  const { project } = await user.client.createProject({ body: { name: 'Film' } })
  const projectId = project.id
  const empty = await create({ project_id: projectId })
  assert.equal(empty.cut.frame_rate, '25/1', 'without a clip')
  for (const clip of [
    { name: 'W.wav', media: { kind: 'audio' as const } },
    { name: 'D.mov', rate: '30000/1001', media: { drop_frame: true } },
    { name: 'L.mov', rate: '24/1' },
  ]) {
    await addClip(server, user, { ...clip, frames: 250, projectId })
  }
  const { cut } = await create({ project_id: projectId })
  assert.deepEqual([cut.frame_rate, cut.drop_frame], ['30000/1001', true])
})

test('a cut of 120 frames a second is saved again as it was read', async () => {
  const slow = await addClip(server, user, { name: 'S.mov', frames: 600, rate: '120/1', projectId })
  const ranges = [newRange({ content_id: slow.contentId, in: 0, out: 600 })]
  const { cut } = await create({ ranges })
  assert.deepEqual([cut.frame_rate, cut.start_timecode], ['120/1', '01:00:00:000'])
  const { cut: saved } = await user.client.saveCut({ params: { id: cut.id }, body: bodyOf(cut) })
  assert.equal(saved.version, 2)
})

test('a sound is cut to its last whole frame, and named up to the last begun one', async () => {
  const recorder = await addClip(server, user, {
    name: 'T.wav',
    frames: 251,
    projectId,
    media: { kind: 'audio', frame_rate: null, duration: 10.01, duration_time: '1001/100' },
  })
  const range = (from: number, out: number) =>
    newRange({ content_id: recorder.contentId, in: from, out })
  const { cut } = await create({ ranges: [range(100, 251)] })
  assert.equal(cut.ranges[0]?.out, 250)
  await assert.rejects(create({ ranges: [range(250, 251)] }), { code: 'invalid' })
  await assert.rejects(create({ ranges: [range(0, 252)] }), { code: 'invalid' })
})

test('selects of a review that names absurd frames do not hide those of the project', async () => {
  const params = { id: fog.jobId }
  const select = { id: randomUUID(), name: 'Fog', start_frame: 10, end_frame: 20 }
  const review = { accepted_cut_frames: [], rejected_cut_frames: [], shot_threshold: null }
  const far = { ...select, id: randomUUID(), end_frame: 3_000_000_000 }
  await assert.rejects(
    user.client.saveReview({ params, body: { ...review, selects: [select, far] } }),
    { code: 'invalid' },
  )
  // As it could be saved once.
  await server.ctx.db
    .updateTable('jobs')
    .set({ review: JSON.stringify({ ...review, selects: [select, far] }) })
    .where('id', '=', fog.jobId)
    .execute()
  const { selects } = await user.client.listProjectSelects({ params: { id: projectId } })
  assert.deepEqual(
    selects.map((select) => [select.content_name, select.start_frame, select.end_frame]),
    [
      ['A001.mov', 10, 20],
      ['A001.mov', 10, 1_000_000_000],
    ],
  )
})

test('a cut takes its timeline from the project, and refuses one that cannot exist', async () => {
  const { project } = await user.client.createProject({
    body: { name: 'NTSC', frame_rate: '29.97', drop_frame: true, start_timecode: '10:00:00;00' },
  })
  const { cut } = await create({ project_id: project.id })
  assert.deepEqual(
    [cut.frame_rate, cut.drop_frame, cut.start_timecode],
    ['30000/1001', true, '10:00:00;00'],
  )
  await user.client.deleteProject({ params: { id: project.id } })
  const kept = await user.client.getCut({ params: { id: cut.id }, query: {} })
  assert.equal(kept.cut.project_id, null, 'a deleted project leaves its cuts')
  await user.client.deleteCut({ params: { id: cut.id } })
  await assert.rejects(user.client.getCut({ params: { id: cut.id }, query: {} }), {
    code: 'not_found',
  })
  for (const body of [
    { frame_rate: '25', drop_frame: true },
    { frame_rate: '25', start_timecode: '01:00:00:25' },
    { frame_rate: 'fast' },
    { name: '  ' },
  ]) {
    await assert.rejects(create(body), { code: 'invalid' }, JSON.stringify(body))
  }
})
