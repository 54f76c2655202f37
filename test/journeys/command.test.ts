/** The command line against the real server: what it writes, where, and how it ends. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { parseFcpxml } from '../export-parsers/fcpxml.ts'
import { openWorks } from '../support/job-app.ts'
import type { Works } from '../support/job-app.ts'
import type { TestUser } from '../support/app.ts'

const command = resolve(import.meta.dirname, '../../client/command/main.ts')

let works: Works
let user: TestUser
let key: string
let folder: string

before(async () => {
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
  await mkdir(join(folder, 'cuts'))
  const words = ['analyse', 'clip.mp4', 'none.mp4', '--extractors', 'ffprobe,shots']
  const both = await cutindex([...words, '--export', 'fcpxml,edl', '--out', 'cuts'], {
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
      'cuts',
      '--json',
    ],
    { environment },
  )
  assert.equal(done.code, 0, done.err)
  const result = JSON.parse(done.out) as { files: string[]; cost_usd: number; job_id: string }
  assert.deepEqual(result.files, ['cuts/clip.mp4.fcpxml'])
  assert.equal(result.cost_usd, 0, 'the first run has paid')
  const timeline = parseFcpxml(await readFile(join(folder, 'cuts/clip.mp4.fcpxml'), 'utf8'))
  assert.equal(timeline.picture.length, 2)
  const edl = await cutindex(['export', result.job_id, '--export', 'edl'], { environment })
  assert.equal(edl.out, 'clip.mp4.edl\n')
  assert.match(await readFile(join(folder, 'clip.mp4.edl'), 'utf8'), /01:00:02:00/)
  const search = await cutindex(['search', 'clip', '--json'], { environment })
  assert.equal(search.code, 0)
  assert.match(search.out, /"content_name":"clip.mp4"/)
})

test('the exit code says why it ended', async () => {
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
  assert.equal(await codes(['balance'], { CUTINDEX_API_KEY: 'ci_live_wrong' }), 3)
  const limited = ['analyse', 'clip.mp4', '--extractors', 'thumbnail', '--max-usd', '0.01']
  assert.equal(await codes(limited), 4)
  assert.equal(await codes(['export', crypto.randomUUID(), '--export', 'edl']), 5)
})
