/** Corrections: a layer over findings that search, exports and a second run use. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { noCorrections } from '../../domain/findings/no-corrections.ts'
import type { Corrections } from '../../domain/findings/corrections.ts'
import { openWorks } from '../support/job-app.ts'
import { setTranscript } from '../support/transcript.ts'
import { use } from '../support/use.ts'

const works = use(openWorks)
const user = use(() => works.server.user())
let contentId: string
let jobId: string

before(async () => {
  contentId = (await works.upload(user.token, works.clip)).id
  jobId = (await works.runJob(user, contentId, 'shots,transcription')).id
  await setTranscript(works.server, { jobId, accountId: user.accountId }, [
    { text: 'Towards', frame: 10 },
    { text: 'Hamburg', frame: 25 },
  ])
})

const fixed: Corrections = {
  ...noCorrections,
  words: [{ start: 1, end: 1.4, from: 'Hamburg', to: 'Homburg' }],
  speakers: { names: {}, passages: [{ start: 0, end: 2, speaker: 'Anna' }] },
  shots: { removed: [50], added: [{ start_frame: 30, end_frame: 30, type: 'cut' }] },
}

test('findings stay as they were found; corrections show in search and exports', async () => {
  const { client } = user
  const params = { id: jobId }
  assert.equal((await client.getCorrections({ params })).version, 0)
  assert.equal((await client.search({ query: { q: 'Hamburg' } })).total, 1)
  const saved = await client.saveCorrections({ params, body: { ...fixed, version: 0 } })
  assert.deepEqual([saved.version, saved.unmatched], [1, []])

  const raw = await client.getJobResults({ params, query: {} })
  assert.equal(raw.results.transcription?.text, 'Towards Hamburg')
  const { results } = await client.getJobResults({ params, query: { corrected: 'true' } })
  assert.equal(results.transcription?.text, 'Towards Homburg')
  assert.deepEqual(
    results.shots?.changes.map((change) => change.start_frame),
    [30],
  )
  assert.equal((await client.search({ query: { q: 'Homburg' } })).hits[0]?.start_frame, 25)
  assert.match(await exported(jobId, 'srt'), /Towards Homburg/)
  assert.match(await exported(jobId, 'vtt'), /<v Anna>/)
  assert.match(await exported(jobId, 'edl'), /01:00:00:00 01:00:01:05/)
})

test('a second run of the same media has the corrections', async () => {
  const again = await works.runJob(user, contentId, 'shots')
  assert.equal(again.cost_usd, 0)
  const { version } = await user.client.getCorrections({ params: { id: again.id } })
  assert.equal(version, 1)
  assert.match(await exported(again.id, 'edl'), /01:00:00:00 01:00:01:05/)
})

test('a save from an older version is refused with what is saved, and nothing is lost', async () => {
  const { client } = user
  const params = { id: jobId }
  const other: Corrections = { ...fixed, words: [] }
  await assert.rejects(
    client.saveCorrections({ params, body: { ...other, version: 0 } }),
    (error) => {
      const { code, body } = error as {
        code: string
        body: { saved: { version: number; corrections: Corrections } }
      }
      assert.equal(code, 'conflict')
      assert.equal(body.saved.version, 1)
      assert.deepEqual(body.saved.corrections.words, fixed.words)
      return true
    },
  )
  const parallel = await Promise.allSettled(
    Array.from({ length: 8 }, () =>
      client.saveCorrections({ params, body: { ...fixed, version: 1 } }),
    ),
  )
  assert.equal(parallel.filter((outcome) => outcome.status === 'fulfilled').length, 1)
})

test('a correction that the findings no longer fit is reported and kept', async () => {
  const params = { id: jobId }
  const { version } = await user.client.getCorrections({ params })
  const gone = { start: 3, end: 3.2, from: 'Bremen', to: 'Berlin' }
  const body = { ...fixed, words: [...fixed.words, gone], version }
  const saved = await user.client.saveCorrections({ params, body })
  assert.deepEqual(saved.unmatched, [{ kind: 'word', seconds: 3, text: 'Bremen' }])
  assert.equal(saved.corrections.words.length, 2)
})

test('a speaker is renamed in every clip of the project that has that name, and nowhere else', async () => {
  const { client } = user
  const { project } = await client.createProject({ body: { name: 'Harbour' } })
  const name = { params: { id: project.id }, body: { from: 'Anna', to: 'Anna Berg' } }
  assert.equal((await client.renameSpeaker(name)).changed, 0)
  await client.updateContent({ params: { id: contentId }, body: { project_id: project.id } })
  assert.equal((await client.renameSpeaker(name)).changed, 1)
  assert.equal((await client.renameSpeaker(name)).changed, 0)
  assert.match(await exported(jobId, 'vtt'), /<v Anna Berg>/)
  const stranger = await works.server.user()
  await assert.rejects(stranger.client.renameSpeaker(name), { code: 'not_found' })
})

test('an export points to the folder of the clip’s project, before that of the account', async () => {
  const { client } = user
  await client.savePreferences({ body: { media_folder: '/Volumes/Account' } })
  assert.match(await exported(jobId, 'otio'), /Volumes\/Account\//)
  const { project } = await client.createProject({
    body: { name: 'Night', media_folder: '/Volumes/Night' },
  })
  await client.updateContent({ params: { id: contentId }, body: { project_id: project.id } })
  assert.match(await exported(jobId, 'otio'), /Volumes\/Night\//)
  await client.updateContent({ params: { id: contentId }, body: { project_id: null } })
  assert.match(await exported(jobId, 'otio'), /Volumes\/Account\//)
})

test('backwards and absurd corrections are refused', async () => {
  const params = { id: jobId }
  const { version } = await user.client.getCorrections({ params })
  const backwards = { ...noCorrections, words: [{ start: 2, end: 1, from: 'a', to: 'b' }] }
  await assert.rejects(user.client.saveCorrections({ params, body: { ...backwards, version } }), {
    code: 'invalid',
  })
  for (const name of ['a\0', '\uD800']) {
    const speakers = { names: { [name]: 'Anna' }, passages: [] }
    const body = { ...noCorrections, speakers, version }
    await assert.rejects(user.client.saveCorrections({ params, body }), { code: 'invalid' })
  }
})

async function exported(id: string, format: string): Promise<string> {
  const answer = await works.server.fetch(`/v1/jobs/${id}/export?format=${format}`, {
    token: user.token,
  })
  assert.equal(answer.status, 200)
  return answer.text()
}
