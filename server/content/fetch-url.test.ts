import assert from 'node:assert/strict'
import { readdir, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fetchFailure, fetchToFile, openUrl } from './fetch-url.ts'
import { openAgent } from '../outbound/agent.ts'
import type { Resolve } from '../outbound/agent.ts'
import type { FetchRules } from './fetch-url.ts'
import { use } from '../../test/support/use.ts'
import { startHttp } from '../../test/support/http.ts'

let hits = 0
/** Must never be reached. It counts whoever comes. */
const canary = use(() =>
  startHttp((_request, response) => {
    hits += 1
    response.end('secret')
  }, '::'),
)

/** The rules of production, except that any port is allowed, so that the canary can be met. */
const anyPort: FetchRules = {
  fetchAllowLoopback: false,
  isAllowedPlace: (_rules, url) => /^https?:$/.test(url.protocol),
}

async function open(rules: FetchRules, url: string): Promise<void> {
  const opened = await openUrl(rules, url, { maxBytes: 1000, signal: AbortSignal.timeout(3000) })
  await opened.close()
}

/** Every spelling of a place that is not public, with the canary's port. */
const hosts = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '017700000001',
  '127.0.0.1.',
  '127.255.255.254',
  '0.0.0.0',
  '0',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'sub.localhost',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:7f00:0001]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::127.0.0.1]',
  '[2002:7f00:1::]',
  '[fe80::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fec0::1]',
  '[ff02::1]',
  '[2001:db8::1]',
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.255.255',
  '169.254.169.254',
  '169.254.0.1',
  '100.64.0.1',
  '192.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  '0xA9FEA9FE',
  '2852039166',
]

test('no spelling of a private place reaches it', async () => {
  for (const host of hosts) {
    const url = `http://${host}:${canary.port}/`
    await assert.rejects(open(anyPort, url), { code: 'fetch_failed', message: fetchFailure }, url)
  }
  assert.equal(hits, 0)
})

test('other schemes, ports and credentials are refused', async () => {
  const rules: FetchRules = { fetchAllowLoopback: false }
  const urls = [
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'http://example.com:22/',
    'http://example.com:8080/',
    'https://example.com:6379/',
    'http://user@example.com/',
    'http://user:secret@example.com/',
  ]
  const resolve: Resolve = async () => {
    throw new Error('nobody may ask for the name')
  }
  for (const url of urls) {
    await assert.rejects(open({ ...rules, resolve }, url), { code: 'fetch_failed' }, url)
  }
})

test('a name that leads to a place that is not public gets no connection', async () => {
  const kept = [
    ...['0.0.0.0', '10.0.0.1', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.16.0.1'],
    ...['172.31.255.255', '192.0.0.1', '192.168.1.1', '198.18.0.1', '224.0.0.1', '240.0.0.1'],
    ...['255.255.255.255', '::', '::1', 'fc00::1', 'fd00::1', 'fe80::1', 'ff02::1'],
    ...['::ffff:10.0.0.1', '::ffff:169.254.169.254', '64:ff9b::a9fe:a9fe', '2002:a00:1::'],
  ]
  for (const address of kept) {
    const family = address.includes(':') ? 6 : 4
    const resolve: Resolve = async () => [{ address, family }]
    const agent = await openAgent({ ...anyPort, resolve }, new URL('http://named.test/'))
    assert.equal(agent, null, address)
  }
  const resolve: Resolve = async () => [{ address: '93.184.216.34', family: 4 }]
  const agent = await openAgent({ ...anyPort, resolve }, new URL('http://named.test/'))
  assert.ok(agent)
  await agent.close()
})

test('one private address among a name’s public ones is enough to refuse', async () => {
  const addresses = ['127.0.0.1', '93.184.216.34'].map((address) => ({ address, family: 4 }))
  // Whichever comes first: it would be the one to connect to.
  for (const order of [addresses, addresses.toReversed()]) {
    const resolve: Resolve = async () => order
    await assert.rejects(open({ ...anyPort, resolve }, `http://mixed.test:${canary.port}/`), {
      code: 'fetch_failed',
    })
  }
  assert.equal(hits, 0)
})

test('a name is asked once, and the connection goes to that answer: rebinding finds no second one', async () => {
  let asked = 0
  const resolve: Resolve = async () => {
    asked += 1
    return [{ address: asked === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }]
  }
  const rules: FetchRules = { ...anyPort, fetchAllowLoopback: true, resolve }
  const before = hits
  await open(rules, `http://no-such-name.invalid:${canary.port}/`)
  assert.equal(asked, 1)
  assert.equal(hits, before + 1)
  hits = before
})

test('a redirect is checked like the first address, and the fourth is not followed', async () => {
  let target = ''
  await using hop = await startHttp((_request, response) => {
    response.writeHead(302, { location: target }).end()
  })
  const { port } = hop
  // The first server stands for a public one: its name alone is let through.
  const resolve: Resolve = async (host) => {
    const address = host === 'public.test' ? '127.0.0.1' : host
    return [{ address, family: host.includes(':') ? 6 : 4 }]
  }
  let seen = 0
  const rules: FetchRules = {
    fetchAllowLoopback: true,
    resolve,
    isAllowedPlace: (_rules, url) => {
      seen += 1
      return url.hostname === 'public.test'
    },
  }
  const targets = [
    `http://127.0.0.1:${canary.port}/`,
    `http://[::1]:${canary.port}/`,
    `//localhost:${canary.port}/`,
    'file:///etc/passwd',
    `http://user:pass@127.0.0.1:${canary.port}/`,
    'http://169.254.169.254/latest/meta-data/',
    'http://[malformed',
  ]
  for (const location of targets) {
    target = location
    await assert.rejects(
      open(rules, `http://public.test:${port}/`),
      { code: 'fetch_failed', message: fetchFailure },
      location,
    )
  }
  assert.equal(hits, 0)
  target = `http://public.test:${port}/again`
  seen = 0
  await assert.rejects(open(rules, `http://public.test:${port}/`), { code: 'fetch_failed' })
  assert.equal(seen, 4)
})

test('errors, silence about errors, compression and too many bytes are refused', async () => {
  const answers: Record<string, [number, Record<string, string>]> = {
    '/404': [404, {}],
    '/500': [500, {}],
    '/gzip': [200, { 'content-encoding': 'gzip' }],
  }
  await using server = await startHttp((request, response) => {
    const [status, headers] = answers[request.url ?? ''] ?? [200, { 'content-length': '5000' }]
    response.writeHead(status, headers).end('x'.repeat(status === 200 ? 5000 : 3))
  })
  const { port } = server
  const rules: FetchRules = { fetchAllowLoopback: true }
  for (const path of Object.keys(answers)) {
    await assert.rejects(open(rules, `http://127.0.0.1:${port}${path}`), {
      code: 'fetch_failed',
      message: fetchFailure,
    })
  }
  await assert.rejects(open(rules, `http://127.0.0.1:${port}/big`), { code: 'too_large' })
})

test('a server that lets a file drip is left, and one that takes its time is not', async () => {
  await using server = await startHttp((request, response) => {
    const bytes = Number(request.url?.slice(1))
    let sent = 0
    const timer = setInterval(() => {
      if (sent++ < 40) response.write(Buffer.alloc(bytes))
      else response.end()
    }, 10)
    response.on('close', () => clearInterval(timer))
  })
  const { port } = server
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'cutindex-drip-'))
  const dataDir = scratch.path
  const ctx = { config: { fetchAllowLoopback: true, diskReserveBytes: null, dataDir } }
  const fetchIt = (bytes: number) =>
    fetchToFile(ctx, `http://127.0.0.1:${port}/${bytes}`, {
      maxBytes: 1_000_000,
      pace: { everyMs: 200, minBytes: 2000 },
    })
  await assert.rejects(fetchIt(1), { code: 'fetch_failed', message: fetchFailure })
  const left = (await readdir(dataDir, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  )
  assert.deepEqual(left, [])
  assert.equal((await fetchIt(10_000)).sizeBytes, 400_000)
})
