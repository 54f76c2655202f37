/** Every example of the developer documentation, run as it stands against a live server. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { before, test } from 'node:test'
import { promisify } from 'node:util'
import { CutIndex } from '../../client/cutindex.ts'
import { makeClip } from '../../engine/clips.testing.ts'
import { startWorking } from '../../server/runs/work.ts'
import {
  agentSnippet,
  checkKeySnippets,
  commandSnippet,
  installSnippet,
  journeySnippets,
  quoteSnippets,
  watchSnippet,
} from '../../web/features/docs/snippets.ts'
import type { Snippet } from '../../web/features/docs/snippets.ts'
import { startTestServer } from '../support/app.ts'
import type { TestUser } from '../support/app.ts'
import { builtPackage } from '../support/built-package.ts'
import { until } from '../support/until.ts'
import { makeObjects, referenceCalls, withOwn } from '../support/reference-calls.ts'
import { slow, slowUnless } from '../support/slow.ts'
import { use, useFolder } from '../support/use.ts'
import { startHttp } from '../support/http.ts'
import { createReadStream } from 'node:fs'

const run = promisify(execFile)
const timeLimitMs = 120_000
const root = resolve(import.meta.dirname, '../..')

const server = use(startTestServer)
const worker = use(() => startWorking(server.ctx, { slots: 1 }))
const folder = useFolder()
/** A stranger's server: it has a clip, and takes webhooks. */
const stranger = use(() =>
  startHttp((request, response) => {
    if (request.method === 'GET') createReadStream(join(folder, 'clip.mp4')).pipe(response)
    else request.resume().on('end', () => response.writeHead(204).end())
  }),
)

before(async () => {
  // As `npm install cutindex` leaves it.
  assert.equal(installSnippet, 'npm install cutindex')
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await cp(await builtPackage(), join(folder, 'node_modules/cutindex'), { recursive: true })
  await mkdir(join(folder, 'node_modules/.bin'))
  await symlink('../cutindex/command/command.js', join(folder, 'node_modules/.bin/cutindex'))
  await makeClip(
    folder,
    `-f lavfi -i testsrc2=size=160x90:rate=25:duration=2
     -f lavfi -i color=red:size=160x90:rate=25:duration=2
     -filter_complex [0][1]concat=n=2:v=1[v] -map [v]
     -c:v libx264 -preset ultrafast -timecode 01:00:00:00 clip.mp4`,
  )
  for (const words of ['sound-1.wav', '-af atrim=start=3 sound-2.wav']) {
    await makeClip(folder, `-f lavfi -i anoisesrc=seed=1:d=9:c=pink:r=8000 ${words}`)
  }
})

const programs: Record<Snippet['language'], { file: string; words: string[] }> = {
  curl: { file: 'journey.sh', words: ['bash', '-eu', '-o', 'pipefail', 'journey.sh'] },
  typescript: { file: 'journey.ts', words: [process.execPath, 'journey.ts'] },
  python: { file: 'journey.py', words: ['python3', 'journey.py'] },
}

for (const snippet of journeySnippets) {
  test(
    `the ${snippet.language} example uploads, analyses and exports (§2 Routes)`,
    slowUnless(snippet.language === 'curl'),
    async () => {
      const { file, words } = programs[snippet.language]
      const { directory } = await runAsReader({ file, words, code: snippet.code })
      const edl = await readFile(join(directory, 'clip.edl'), 'utf8')
      assert.match(edl, /^TITLE:/)
      const cut = edl
        .split(/\r?\n/)
        .find((line) => /^\d{3}\s/.test(line) && line.includes('01:00:02:00'))
      assert.ok(cut, edl)
    },
  )
}

for (const snippet of checkKeySnippets) {
  test(`the ${snippet.language} example checks the key`, async () => {
    const program = programs[snippet.language]
    const { out, email } = await runAsReader({ ...program, code: snippet.code })
    assert.ok(out.includes(email), out)
  })
}

for (const snippet of quoteSnippets) {
  test(`the ${snippet.language} example asks for a quote`, async () => {
    const program = programs[snippet.language]
    const code = withOwn(snippet.code, { mediaUrl: `${stranger.url}/interview.mov` })
    const { out } = await runAsReader({ ...program, code })
    assert.match(out, /0\.016/)
  })
}

test('the command line and the watcher do what the documentation shows', slow, async () => {
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
  for (const { code } of [...checkKeySnippets, ...journeySnippets, ...quoteSnippets]) {
    assert.ok(developer.includes(code), code.slice(0, 40))
  }
  assert.ok(developer.includes(commandSnippet) && developer.includes('## Errors'))
  assert.doesNotMatch(developer, /<(?:p|div|section|code|span)\b/)
  const reference = await text('/docs/api.md')
  assert.match(reference, /^### POST \/v1\/jobs\/quote$/m)
  assert.match(reference, /^curl -sS --fail-with-body "\$CUTINDEX_API\/v1\/jobs\/quote"/m)
  assert.match(await text('/docs/editors.md'), /^## DaVinci Resolve$/m)
  const index = await text('/llms.txt')
  assert.match(index, /\/docs\/developer\.md/)
  assert.match(index, /\/docs\/api\.md/)
})

test('every example of the API reference runs, in each language', slow, async () => {
  const calls = referenceCalls()
  assert.ok(calls.length > 60, `${calls.length} calls`)
  const readers = await Promise.all([newReader(), newReader(), newReader()])
  // Jobs that are canceled by an example stay in the queue until then.
  await worker.stop()
  const [curl, typescript, python] = await Promise.all(readers.map(layOut))
  assert.ok(curl && typescript && python)
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
  const check = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'esnext', ...types]
  const scripts = calls.map(({ name }) => `${name}.ts`)
  await Promise.all([
    runAll(curl, ['bash', '-eu', 'all.sh']),
    runAll(typescript, [process.execPath, 'all.ts']),
    runAll(python, ['python3', 'all.py']),
    runAll(typescript, [join(root, 'node_modules/.bin/tsc'), ...check, ...scripts]),
  ])
})

interface Reader {
  user: TestUser
  directory: string
  environment: Record<string, string>
  /** An analysed clip, and a text that can be deleted. */
  jobId: string
  contentId: string
  spareId: string
  soundIds: [string, string]
  syncId: string
}

/** An account with an analysed clip and a sync. */
async function newReader(): Promise<Reader> {
  const user = await server.user()
  const { apiKey } = await user.client.createApiKey({ body: { name: 'docs', expiresInDays: 30 } })
  const client = new CutIndex({ apiKey: apiKey.key, baseUrl: server.url })
  const directory = join(folder, user.accountId)
  await mkdir(directory)
  const clip = await readFile(join(folder, 'clip.mp4'))
  await writeFile(join(directory, 'clip.mp4'), clip)
  // The same clip with other bytes, so that the example's upload is none that is there already.
  const data = new Blob([new Uint8Array(clip), new Uint8Array([0, 0, 0, 8, 102, 114, 101, 101])])
  const extractors = ['ffprobe', 'thumbnail', 'shots'] as const
  const job = await client.jobs.run({ name: 'interview.mp4', data }, { extractors })
  const spare = await client.content.upload({ name: 'spare.txt', data: new Blob(['spare']) })
  const uploadSound = async (name: string): Promise<string> => {
    const sound = new Blob([new Uint8Array(await readFile(join(folder, name)))])
    return (await client.content.upload({ name, data: sound })).id
  }
  const soundIds: Reader['soundIds'] = [
    await uploadSound('sound-1.wav'),
    await uploadSound('sound-2.wav'),
  ]
  const { sync } = await user.client.createSync({ body: { content_ids: soundIds } })
  await until(
    () => user.client.getSync({ params: { id: sync.id } }),
    (answer) => answer.sync.status === 'completed',
  )
  const environment = { CUTINDEX_API: server.url, CUTINDEX_API_KEY: apiKey.key }
  const contentId = job.content_id ?? ''
  return {
    ...{ user, directory, environment, jobId: job.id, contentId, spareId: spare.id },
    ...{ soundIds, syncId: sync.id },
  }
}

/** One file for each call and language, and one that runs them in order. */
async function layOut(reader: Reader): Promise<Reader> {
  const { directory } = reader
  const { variables, instead, exampleIds } = await makeObjects(reader, `${stranger.url}/hooks`)
  const calls = referenceCalls()
  const plan = calls.map(({ name }) => ({ name, variables: { ...variables, ...instead[name] } }))
  for (const { name, code } of calls) {
    const id = exampleIds[name] ?? variables.CONTENT_ID
    const own = {
      id,
      secondId: reader.soundIds[1],
      mediaUrl: `${stranger.url}/interview.mov`,
      webhookUrl: `${stranger.url}/hooks`,
    }
    await writeFile(join(directory, `${name}.sh`), withOwn(code.curl, own))
    await writeFile(join(directory, `${name}.ts`), withOwn(code.typescript, own))
    await writeFile(join(directory, `${name}.py`), withOwn(code.python, own))
  }
  await writeFile(join(directory, 'plan.json'), JSON.stringify(plan))
  const lines = plan.map(({ name, variables: values }) => {
    const words = Object.entries(values).map(([key, value]) => `${key}=${value}`)
    const line = `${words.join(' ')} bash -eu -o pipefail ${name}.sh`
    return `echo; echo ${name} >&2; ${name.startsWith('watch') ? firstEvent(line) : line}`
  })
  await writeFile(join(directory, 'all.sh'), lines.join('\n'))
  await writeFile(
    join(directory, 'all.ts'),
    `import { readFileSync } from 'node:fs'
for (const { name, variables } of JSON.parse(readFileSync('plan.json', 'utf8'))) {
  console.error(name)
  Object.assign(process.env, variables)
  await import(\`./\${name}.ts\`)
}`,
  )
  await writeFile(
    join(directory, 'all.py'),
    `import json, os, runpy, sys
for call in json.load(open('plan.json')):
    print(call['name'], file=sys.stderr)
    os.environ.update(call['variables'])
    runpy.run_path(call['name'] + '.py')`,
  )
  return reader
}

/** A stream of events may never end: it is read until it has begun. */
function firstEvent(line: string): string {
  return `rm -f events; ${line} > events & stream=$!
until [ -s events ] || ! kill -0 $stream; do sleep 0.1; done
pkill -P $stream || true; wait $stream || true; grep -qE '^(retry|data):' events`
}

/** The last lines name the example that failed, and why. */
async function runAll({ directory, environment }: Reader, [command = '', ...words]: string[]) {
  const env = { ...process.env, ...environment }
  await run(command, words, {
    cwd: directory,
    timeout: timeLimitMs,
    env,
    maxBuffer: 2 ** 26,
  }).catch((error: { stdout: string; stderr: string }) =>
    assert.fail(`${error.stderr.slice(-1500)}\n${error.stdout.slice(-1500)}`),
  )
}

/** Prepares as a reader does: an account, a key, the environment, a clip beside the program. */
async function runAsReader(program: {
  file: string
  words: string[]
  code: string
}): Promise<{ directory: string; email: string; out: string }> {
  const user = await server.user()
  const { apiKey } = await user.client.createApiKey({ body: { name: 'docs', expiresInDays: 30 } })
  const directory = join(folder, user.accountId)
  await mkdir(directory)
  await copyFile(join(folder, 'clip.mp4'), join(directory, 'clip.mp4'))
  await writeFile(join(directory, program.file), program.code)
  const [command = '', ...args] = program.words
  const { stdout } = await run(command, args, {
    cwd: directory,
    timeout: timeLimitMs,
    env: { ...process.env, CUTINDEX_API: server.url, CUTINDEX_API_KEY: apiKey.key },
  })
  return { directory, email: user.email, out: stdout }
}
