/** The package as a stranger gets it: packed, installed into an empty folder, README followed. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { before, test } from 'node:test'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { parseFcpxml } from '../export-parsers/fcpxml.ts'
import { closeBrowser, launchBrowser } from '../support/browser.ts'
import { builtPackage } from '../support/built-package.ts'
import { openWorks } from '../support/job-app.ts'
import { slow, slowUnless } from '../support/slow.ts'
import { use, useFolder } from '../support/use.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')

const works = use(openWorks)
const folder = useFolder()
let project: string

before(async () => {
  await run('npm', ['pack', await builtPackage(), '--silent'], { cwd: folder })
  project = join(folder, 'project')
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{ "type": "module" }')
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    version: string
  }
  const packed = join(folder, `cutindex-${version}.tgz`)
  const install = await readFile(join(root, 'client/README.md'), 'utf8').then(blockIn('sh install'))
  const code = install.replace('npm install cutindex', `npm install --offline --no-audit ${packed}`)
  await run('bash', ['-eu', '-c', code], { cwd: project })
  await writeFile(join(project, 'clip.mp4'), works.clip)
})

const nodes: [name: string, path: string][] = [
  ['this Node', process.execPath],
  ['Node 20', process.env.NODE_20 ?? '/usr/bin/node'],
]

for (const [name, path] of nodes) {
  test(
    `the README’s example runs under ${name}`,
    slowUnless(name === 'this Node'),
    async (context) => {
      const version = await run(path, ['--version']).catch(() => null)
      if (!version) return context.skip(`${path} is not there`)
      context.diagnostic(version.stdout.trim())
      await writeFile(join(project, 'example.js'), await readmeExample('js node'))
      const { stdout } = await run(path, ['example.js'], {
        cwd: project,
        env: { ...process.env, ...(await newKey()) },
      })
      assert.match(stdout, /^uploading 0\n/)
      assert.match(stdout, /clip\S*\.fcpxml, charged \$0\.016\n$/)
      assertCut(
        await readFile(join(project, /(\S+\.fcpxml), charged/.exec(stdout)?.[1] ?? ''), 'utf8'),
      )
    },
  )
}

test('the README’s example runs in Chromium', slow, async () => {
  const browser = await launchBrowser()
  const context = await browser.newContext({ bypassCSP: true })
  try {
    const page = await context.newPage()
    const core = await readFile(join(project, 'node_modules/cutindex/cutindex.js'), 'utf8')
    const script = (body: string) => ({ body, contentType: 'text/javascript' })
    const example = (await readmeExample('js browser')).replace(
      "'cutindex'",
      "'/package/cutindex.js'",
    )
    await page.route('**/package/cutindex.js', (route) => route.fulfill(script(core)))
    await page.route('**/package/example.js', (route) => route.fulfill(script(example)))
    await page.goto(`${works.server.url}/terms`)
    const { CUTINDEX_API_KEY: apiKey } = await newKey()
    const timeline = await page.evaluate(
      async ({ bytes, apiKey, baseUrl }) => {
        const address = '/package/example.js'
        const { analyse } = (await import(address)) as {
          analyse: (file: File, options: object) => Promise<string>
        }
        const file = new File([Uint8Array.from(bytes)], 'clip.mp4')
        return analyse(file, { apiKey, baseUrl })
      },
      { bytes: [...works.clip], apiKey, baseUrl: works.server.url },
    )
    assertCut(timeline)
  } finally {
    await context.close()
    await closeBrowser(browser)
  }
})

test('the README’s webhook is taken with the right signature only', async () => {
  const secret = `whsec_${randomBytes(24).toString('base64')}`
  await writeFile(join(project, 'webhook.js'), await readmeExample('js webhook'))
  const body = '{"type":"job.completed"}'
  const now = new Date()
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', now, body),
  }
  const code = `import { readEvent } from './webhook.js'
    const { body, headers } = JSON.parse(process.env.MESSAGE)
    console.log((await readEvent(body, headers)).type)`
  const receive = (message: object) =>
    run(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: project,
      env: { ...process.env, CUTINDEX_WEBHOOK_SECRET: secret, MESSAGE: JSON.stringify(message) },
    })
  assert.equal((await receive({ body, headers })).stdout, 'job.completed\n')
  await assert.rejects(receive({ body: `${body} `, headers }), /signature is wrong/)
})

test('the README’s commands do what it says', slow, async () => {
  const card = join(project, 'card')
  await mkdir(card)
  await writeFile(join(project, 'clip.mov'), works.clip)
  await writeFile(join(card, 'a.mov'), works.silentClip)
  const { CUTINDEX_API_KEY, CUTINDEX_API } = await newKey()
  const code = (await readmeExample('sh command'))
    .replace('cutindex login', `cutindex login <<< ${CUTINDEX_API_KEY}`)
    // A watcher goes on forever.
    .replace('watch /Volumes/Card/PRIVATE/M4ROOT/CLIP', `watch ${card} --once`)
  const { stdout } = await run('bash', ['-eu', '-c', code], {
    cwd: project,
    env: { ...process.env, CUTINDEX_API, XDG_CONFIG_HOME: join(folder, 'config') },
  })
  assert.match(stdout, /is kept in .*key\.json\.\nclip\.mov: at most \$0\.052 for 4 s/)
  assertCut(await readFile(join(project, 'exports/clip.mov.fcpxml'), 'utf8'))
  assertCut(await readFile(join(card, 'a.mov.fcpxml'), 'utf8'))
})

test('every block of the README is run by one of these tests', async () => {
  const readme = await readFile(join(root, 'client/README.md'), 'utf8')
  const names = [...readme.matchAll(/^```(.+)$/gm)].map((match) => match[1])
  assert.deepEqual(names, blocks)
})

test('the declarations type every call, without zod', async () => {
  await writeFile(
    join(project, 'typed.ts'),
    `import { CutIndex } from 'cutindex'
     import type { ListedJob, Quote } from 'cutindex'
     const client = new CutIndex({ apiKey: 'ci_live_' })
     const jobs: AsyncGenerator<ListedJob> = client.jobs.list({ status: 'completed' })
     const quote: Promise<{ quote: Quote }> = client.api.quoteJob({ body: { workflow: 'shots' } })
     // @ts-expect-error -- there is no such extractor
     void client.jobs.run({ url: 'https://example.com/a.mov' }, { extractors: ['shot'] })
     // @ts-expect-error -- the id is missing
     void client.api.getJob({})
     export const all = [jobs, quote]\n`,
  )
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'esnext']
  await run(join(root, 'node_modules/.bin/tsc'), [...options, 'typed.ts'], { cwd: project }).catch(
    (error: { stdout: string }) => assert.fail(error.stdout),
  )
})

test('the package is small and names no dependency', async () => {
  const manifest = JSON.parse(
    await readFile(join(project, 'node_modules/cutindex/package.json'), 'utf8'),
  ) as { dependencies?: object }
  assert.equal(manifest.dependencies, undefined)
  const core = await readFile(join(project, 'node_modules/cutindex/cutindex.js'), 'utf8')
  assert.doesNotMatch(core, /node:/)
  assert.ok(core.length < 60_000, `${core.length} bytes`)
})

const blocks = ['sh install', 'js node', 'js browser', 'js webhook', 'sh command'] as const

/** The code of a block by its first line. */
function blockIn(name: (typeof blocks)[number]): (readme: string) => string {
  return (readme) => {
    const code = new RegExp(`^\`\`\`${name}\n(.*?)^\`\`\``, 'ms').exec(readme)?.[1]
    assert.ok(code, name)
    return code
  }
}

async function readmeExample(name: (typeof blocks)[number]): Promise<string> {
  return blockIn(name)(await readFile(join(project, 'node_modules/cutindex/README.md'), 'utf8'))
}

async function newKey(): Promise<{ CUTINDEX_API_KEY: string; CUTINDEX_API: string }> {
  const user = await works.server.user()
  const { apiKey } = await user.client.createApiKey({ body: { name: 'a', expiresInDays: 30 } })
  return { CUTINDEX_API_KEY: apiKey.key, CUTINDEX_API: works.server.url }
}

/** The clip has one cut, after two seconds. */
function assertCut(fcpxml: string): void {
  assert.equal(parseFcpxml(fcpxml).video.length, 2)
}
