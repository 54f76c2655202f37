/** Every example of the developer documentation, run as it stands against a live server. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { makeClip } from '../../engine/clips.testing.ts'
import { startWorking } from '../../server/jobs/work.ts'
import type { Worker } from '../../server/jobs/work.ts'
import {
  agentSnippet,
  checkKeySnippet,
  commandSnippet,
  installSnippet,
  journeySnippets,
  quoteSnippet,
  watchSnippet,
} from '../../web/features/docs/snippets.ts'
import type { Snippet } from '../../web/features/docs/snippets.ts'
import { buildPackage } from '../../scripts/build-package.ts'
import { startTestServer } from '../support/app.ts'
import type { TestServer } from '../support/app.ts'

const run = promisify(execFile)
const timeLimitMs = 120_000

let server: TestServer
let worker: Worker
let folder: string

before(async () => {
  server = await startTestServer()
  worker = await startWorking(server.ctx, { slots: 1 })
  folder = await mkdtemp(join(tmpdir(), 'cutindex-snippets-'))
  // As `npm install cutindex` leaves it.
  assert.equal(installSnippet, 'npm install cutindex')
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await buildPackage(join(folder, 'node_modules/cutindex'))
  await mkdir(join(folder, 'node_modules/.bin'))
  await symlink('../cutindex/command/command.js', join(folder, 'node_modules/.bin/cutindex'))
  await makeClip(
    folder,
    `-f lavfi -i testsrc2=size=160x90:rate=25:duration=2
     -f lavfi -i color=red:size=160x90:rate=25:duration=2
     -filter_complex [0][1]concat=n=2:v=1[v] -map [v]
     -c:v libx264 -preset ultrafast -timecode 01:00:00:00 clip.mp4`,
  )
})
after(async () => {
  await worker?.stop()
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

const programs: Record<Snippet['language'], { file: string; words: string[] }> = {
  curl: { file: 'journey.sh', words: ['bash', '-eu', '-o', 'pipefail', 'journey.sh'] },
  typescript: { file: 'journey.ts', words: [process.execPath, 'journey.ts'] },
  python: { file: 'journey.py', words: ['python3', 'journey.py'] },
}

for (const snippet of journeySnippets) {
  test(`the ${snippet.language} example uploads, analyses and exports (§2 Routes)`, async () => {
    const { file, words } = programs[snippet.language]
    const { directory } = await runAsReader({ file, words, code: snippet.code })
    const edl = await readFile(join(directory, 'clip.edl'), 'utf8')
    assert.match(edl, /^TITLE:/)
    const cut = edl
      .split(/\r?\n/)
      .find((line) => /^\d{3}\s/.test(line) && line.includes('01:00:02:00'))
    assert.ok(cut, edl)
  })
}

test('the key is checked and a quote is asked for as the documentation says', async () => {
  const code = `${checkKeySnippet} > me.json\nurl=https://127.0.0.1/none.mp4\n${quoteSnippet.replace('--fail-with-body ', '')} > quote.json`
  const { directory, email } = await runAsReader({ ...programs.curl, code })
  const me = JSON.parse(await readFile(join(directory, 'me.json'), 'utf8')) as { email: string }
  assert.equal(me.email, email)
  const quote = JSON.parse(await readFile(join(directory, 'quote.json'), 'utf8')) as {
    code: string
  }
  assert.equal(quote.code, 'fetch_failed')
})

test('the command line and the watcher do what the documentation shows', async () => {
  const code = `${commandSnippet} > said.log\nrm clip.mp4.fcpxml\n${watchSnippet}`
  const { directory } = await runAsReader({ ...programs.curl, code })
  assert.match(await readFile(join(directory, 'said.log'), 'utf8'), /^\$4\.98 can be spent$/m)
  assert.match(await readFile(join(directory, 'clip.mp4.edl'), 'utf8'), /01:00:02:00/)
  assert.match(await readFile(join(directory, 'clip.mp4.fcpxml'), 'utf8'), /<\/fcpxml>/)
})

test('the agent’s settings start the tools', async () => {
  const { mcpServers } = JSON.parse(agentSnippet) as {
    mcpServers: Record<string, { command: string; args: string[]; env: object }>
  }
  const { command, args, env } = mcpServers.cutindex ?? assert.fail()
  assert.deepEqual(Object.keys(env), ['CUTINDEX_API_KEY'])
  const hello = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'reader', version: '1' },
    },
  }
  const code = `echo '${JSON.stringify(hello)}' | ${[command, ...args].join(' ')} > hello.json`
  const { directory } = await runAsReader({ ...programs.curl, code })
  assert.match(await readFile(join(directory, 'hello.json'), 'utf8'), /"name":"cutindex"/)
})

test('each page of the documentation has a twin in Markdown, and llms.txt names them', async () => {
  const text = async (path: string): Promise<string> => {
    const answer = await server.fetch(path)
    assert.equal(answer.status, 200, path)
    return answer.text()
  }
  const developer = await text('/docs/developer.md')
  for (const { code } of journeySnippets) assert.ok(developer.includes(code), code.slice(0, 40))
  assert.ok(developer.includes(commandSnippet) && developer.includes('## Errors'))
  assert.doesNotMatch(developer, /<(?:p|div|section|code|span)\b/)
  const reference = await text('/docs/api.md')
  assert.match(reference, /^### POST \/v1\/jobs\/quote$/m)
  const index = await text('/llms.txt')
  assert.match(index, /\/docs\/developer\.md/)
  assert.match(index, /\/docs\/api\.md/)
})

/** What a reader does: an account, a key, the environment, a clip beside the program. */
async function runAsReader(program: {
  file: string
  words: string[]
  code: string
}): Promise<{ directory: string; email: string }> {
  const user = await server.user()
  const { apiKey } = await user.client.createApiKey({ body: { name: 'docs', expiresInDays: 30 } })
  const directory = join(folder, user.accountId)
  await mkdir(directory)
  await copyFile(join(folder, 'clip.mp4'), join(directory, 'clip.mp4'))
  await writeFile(join(directory, program.file), program.code)
  const [command = '', ...args] = program.words
  await run(command, args, {
    cwd: directory,
    timeout: timeLimitMs,
    env: { ...process.env, CUTINDEX_API: server.url, CUTINDEX_API_KEY: apiKey.key },
  })
  return { directory, email: user.email }
}
