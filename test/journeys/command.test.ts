/** The command line against the real server: what it writes, where, and how it ends. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { parseFcpxml } from '../export-parsers/fcpxml.ts'
import { builtCommand } from '../support/built-package.ts'
import { openWorks } from '../support/job-app.ts'
import type { Works } from '../support/job-app.ts'
import { testEnvironment } from '../support/app.ts'
import type { TestUser } from '../support/app.ts'
import { slow } from '../support/slow.ts'
import { setTranscript } from '../support/transcript.ts'

let command: string
let works: Works
let user: TestUser
let key: string
let folder: string

before(async () => {
  command = await builtCommand()
  works = await openWorks()
  user = await works.server.user()
  key = (await user.client.createApiKey({ body: { name: 'shell' } })).apiKey.key
  folder = await mkdtemp(join(works.folder, 'shell-'))
  await writeFile(join(folder, 'clip.mp4'), works.clip)
})
after(() => works?.stop())

interface Ended {
  code: number | null
  out: string
  err: string
}

async function cutindex(
  words: string[],
  { input = '', environment = {} }: { input?: string; environment?: Record<string, string> } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [command, ...words], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: testEnvironment.NODE_COMPILE_CACHE,
      XDG_CONFIG_HOME: join(folder, 'config'),
      CUTINDEX_API: works.server.url,
      ...environment,
    },
  })
  child.stdin.end(input)
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((done) => child.once('exit', done)),
  ])
  return { code, out, err }
}

test('a key is kept where only its owner reads it, and refused where others can', async () => {
  assert.equal((await cutindex(['balance'])).code, 3)
  const wrong = await cutindex(['login'], { input: 'ci_live_wrong\n' })
  assert.equal(wrong.code, 3)
  const login = await cutindex(['login'], { input: `${key}\n` })
  assert.equal(login.code, 0, login.err)
  assert.match(login.out, new RegExp(user.email))
  const file = join(folder, 'config/cutindex/key.json')
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.deepEqual(await cutindex(['balance']), { code: 0, out: '$5.00 can be spent\n', err: '' })
  await chmod(file, 0o644)
  const open = await cutindex(['balance'])
  assert.equal(open.code, 3)
  assert.match(open.err, /Others can read .*chmod 600/)
  await chmod(file, 0o600)
})

test('files become exports; plain lines for a pipe, JSON where asked for', async () => {
  const environment = { CUTINDEX_API_KEY: key }
  const quote = await cutindex(['quote', 'clip.mp4', '--extractors', 'shots', '--json'], {
    environment,
  })
  assert.equal((JSON.parse(quote.out) as { total_usd: number }).total_usd, 0.012)
  const words = ['analyse', 'clip.mp4', 'none.mp4', '--extractors', 'ffprobe,shots']
  const both = await cutindex([...words, '--export', 'fcpxml,edl', '--out', 'cuts/new'], {
    environment,
  })
  assert.equal(both.code, 6, both.err)
  assert.match(both.err, /^none\.mp4: There is no file none\.mp4\.$/m)
  assert.match(both.err, /^clip\.mp4: completed$/m)
  const done = await cutindex(
    [
      'analyse',
      'clip.mp4',
      '--extractors',
      'ffprobe,shots',
      '--export',
      'fcpxml',
      '--out',
      'cuts/new',
      '--speakers',
      '2',
      '--language',
      'de',
      '--translate',
      '--json',
    ],
    { environment },
  )
  assert.equal(done.code, 0, done.err)
  const result = JSON.parse(done.out) as { files: string[]; cost_usd: number; job_id: string }
  assert.deepEqual(result.files, ['cuts/new/clip.mp4.fcpxml'])
  assert.deepEqual(await speechOf(result.job_id), {
    speakers: 2,
    language: 'de',
    translate: true,
  })
  assert.equal(result.cost_usd, 0, 'the first run has paid')
  const timeline = parseFcpxml(await readFile(join(folder, 'cuts/new/clip.mp4.fcpxml'), 'utf8'))
  assert.equal(timeline.video.length, 2)
  const edl = await cutindex(['export', result.job_id, '--export', 'edl'], { environment })
  assert.equal(edl.out, 'clip.mp4.edl\n')
  assert.match(await readFile(join(folder, 'clip.mp4.edl'), 'utf8'), /01:00:02:00/)
  const search = await cutindex(['search', 'clip', '--json'], { environment })
  assert.equal(search.code, 0)
  assert.match(search.out, /"content_name":"clip.mp4"/)
})

test('the exit code says why it ended', slow, async () => {
  const environment = { CUTINDEX_API_KEY: key }
  const codes = async (
    words: string[],
    more: Record<string, string> = {},
  ): Promise<number | null> =>
    (await cutindex(words, { environment: { ...environment, ...more } })).code
  assert.equal(await codes(['--help']), 0)
  assert.equal(await codes([]), 2)
  assert.equal(await codes(['dance']), 2)
  assert.equal(await codes(['analyse', 'clip.mp4', '--extractors', 'shot']), 2)
  assert.equal(await codes(['analyse', 'clip.mp4', '--speakers', '13']), 2)
  assert.equal(await codes(['watch', '.', '--speakers', '1.5']), 2)
  assert.equal(await codes(['analyse', 'a.mp4', '--extractors', 'shots', '--export', 'srt']), 2)
  assert.equal(await codes(['balance'], { CUTINDEX_API_KEY: 'ci_live_wrong' }), 3)
  assert.equal(await codes(['balance'], { CUTINDEX_API_KEY: 'ci_live_…' }), 3)
  assert.equal(await codes(['balance', '--api', 'api.cutindex.com']), 2)
  const nowhere = ['--export', 'edl', '--out', '/proc/nope/cuts']
  assert.equal(await codes(['analyse', 'clip.mp4', '--extractors', 'shots', ...nowhere]), 5)
  const file = ['--export', 'edl', '--out', 'clip.mp4']
  assert.equal(await codes(['analyse', 'clip.mp4', '--extractors', 'shots', ...file]), 5)
  assert.equal(await codes(['balance', '--api', 'http://127.0.0.1:1']), 7)
  assert.equal(await codes(['watch', folder, folder]), 2)
  assert.equal(await codes(['watch', 'nowhere']), 5)
  const limited = ['analyse', 'clip.mp4', '--extractors', 'thumbnail', '--max-usd', '0.01']
  assert.equal(await codes(limited), 4)
  assert.equal(await codes(['export', crypto.randomUUID(), '--export', 'edl']), 5)
})

test('an export that cannot be written is not paid for, and nothing is overwritten', async () => {
  const environment = { CUTINDEX_API_KEY: key }
  const count = async (): Promise<number> =>
    (await user.client.listJobs({ query: { limit: 100 } })).jobs.length
  const before = await count()
  const exports = ['--extractors', 'cutpoints', '--export', 'edl']
  const blocked = await cutindex(['analyse', 'clip.mp4', ...exports, '--out', 'clip.mp4/in'], {
    environment,
  })
  assert.equal(blocked.code, 5)
  assert.match(blocked.err, /^cutindex: A part of the path is no folder: .*clip\.mp4\/in\.$/m)
  await mkdir(join(folder, 'other'))
  await writeFile(join(folder, 'other/clip.mp4'), works.silentClip)
  const twins = ['analyse', 'clip.mp4', 'other/clip.mp4', ...exports, '--out', 'cuts', '--json']
  const same = await cutindex(twins, { environment })
  assert.equal(same.code, 2)
  const { error } = JSON.parse(same.out) as { error: { code: string; message: string } }
  assert.equal(error.code, 'usage')
  assert.match(error.message, /clip\.mp4 and other\/clip\.mp4 would have one name/)
  const directory = await cutindex(['analyse', 'other'], { environment })
  assert.equal(directory.code, 5)
  assert.match(
    directory.err,
    /other is a folder\. Name its files, or run "cutindex watch other --once"/,
  )
  assert.equal(await count(), before, 'nothing was started')
})

test(
  'a key with few scopes can be kept, and others’ words cannot steer the terminal',
  slow,
  async () => {
    const scoped = { name: 'agent', scopes: ['search' as const] }
    const { apiKey } = await user.client.createApiKey({ body: scoped })
    const environment = { XDG_CONFIG_HOME: join(folder, 'scoped') }
    const login = await cutindex(['login', '--json'], { input: `${apiKey.key}\n`, environment })
    assert.equal(login.code, 0, login.err)
    assert.equal((JSON.parse(login.out) as { name: string }).name, 'agent')
    assert.equal((await cutindex(['balance'], { environment })).code, 3)
    const { content } = await user.client.listContent({ query: { q: 'clip.mp4' } })
    const job = await works.runJob(user, content[0]?.id ?? '', 'transcription')
    await setTranscript(works.server, { jobId: job.id, accountId: user.accountId }, [
      { text: 'Harbour', frame: 10 },
      { text: '\u001B]0;owned\u0007', frame: 25 },
    ])
    const search = await cutindex(['search', 'harbour'], { environment })
    assert.match(search.out, /Harbour .*owned/)
    // oxlint-disable-next-line no-control-regex -- that is what must not be there
    assert.doesNotMatch(search.out, /[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/)
  },
)

test('a reader who has enough ends the command without a complaint', async () => {
  const words = ['-c', `set -o pipefail; "$@" | true; echo \${PIPESTATUS[0]} >&2`, 'bash']
  const child = spawn('bash', [...words, process.execPath, command, '--help'], {
    env: { ...process.env, CUTINDEX_API_KEY: key, CUTINDEX_API: works.server.url },
  })
  assert.match(await text(child.stderr), /^0\n$/)
})

test(
  'a watcher leaves a read-only card as it is, and does more when it is asked for more',
  slow,
  async () => {
    const environment = { CUTINDEX_API_KEY: key }
    const card = join(folder, 'card')
    await mkdir(card)
    await writeFile(join(card, 'a.mp4'), works.silentClip)
    const watch = (...more: string[]): Promise<Ended> =>
      cutindex(
        ['watch', card, '--once', '--settle', '0', '--out', 'from-card', '--json', ...more],
        {
          environment,
        },
      )
    const dear = await watch('--extractors', 'thumbnail', '--max-usd', '0.001')
    assert.equal(dear.code, 6, dear.err)
    assert.match(dear.out, /"code":"too_expensive"/)
    const first = await watch('--extractors', 'ffprobe', '--export', 'edl')
    assert.equal(first.code, 0, first.err)
    const { files, job_id } = JSON.parse(first.out) as { files: string[]; job_id: string }
    assert.deepEqual(files, ['from-card/a.mp4.edl'])
    assert.equal((await watch('--extractors', 'ffprobe', '--export', 'edl')).out, '')
    const other = JSON.parse((await watch('--extractors', 'ffprobe', '--export', 'otio')).out) as {
      job_id: string
    }
    assert.equal(other.job_id, job_id, 'the analysis is not placed again')
    const two = ['--extractors', 'ffprobe', '--export', 'otio', '--speakers', '2']
    const counted = JSON.parse((await watch(...two)).out) as { job_id: string }
    assert.notEqual(counted.job_id, job_id, 'another number of speakers is another analysis')
    assert.equal((await speechOf(counted.job_id)).speakers, 2)
    assert.equal((await watch(...two)).out, '')
    await user.client.deleteJob({ params: { id: counted.job_id } })
    const repeated = await watch('--extractors', 'ffprobe', '--export', 'csv', '--speakers', '2')
    assert.equal(repeated.code, 0, repeated.err)
    const second = JSON.parse(repeated.out) as { job_id: string }
    assert.notEqual(second.job_id, counted.job_id, 'a job that was deleted is placed again')
    assert.deepEqual(await readdir(card), ['a.mp4'])
    await user.client.deleteContent({ params: { id: (await itemOf(job_id)) ?? '' } })
    const again = await watch('--extractors', 'shots', '--export', 'edl')
    assert.equal(again.code, 0, again.err)
  },
)

async function speechOf(jobId: string) {
  const { job } = await user.client.getJob({ params: { id: jobId } })
  return { speakers: job.speakers, language: job.language, translate: job.translate }
}

async function itemOf(jobId: string): Promise<string | null> {
  return (await user.client.getJob({ params: { id: jobId } })).job.content_id
}
