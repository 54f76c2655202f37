/** The client against a server that drops, delays and refuses, and against the real one. */
import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'node:test'
import { openWorks } from '../test/support/job-app.ts'
import { slow } from '../test/support/slow.ts'
import { until } from '../test/support/until.ts'
import { api as endpoints } from '../contract/api.ts'
import { fullAnalysis } from '../domain/money/catalogue.ts'
import { createClient } from './create-client.ts'
import { CutIndex, CutIndexError, TooExpensive, verifyWebhook } from './cutindex.ts'
import { use } from '../test/support/use.ts'
import { startHttp } from '../test/support/http.ts'

const works = use(openWorks)

async function newClient(options: { fetch?: typeof fetch } = {}): Promise<CutIndex> {
  const user = await works.server.user()
  const { apiKey } = await user.client.createApiKey({ body: { name: 'a', expiresInDays: 30 } })
  return new CutIndex({ apiKey: apiKey.key, baseUrl: works.server.url, ...options })
}

/** Answers each request with the next of the given answers; the last one stays. */
async function withAnswers(
  answers: ((request: IncomingMessage, response: ServerResponse) => void)[],
  work: (baseUrl: string, seen: IncomingMessage[]) => Promise<void>,
): Promise<void> {
  const seen: IncomingMessage[] = []
  const server = await startHttp((request, response) => {
    seen.push(request)
    request.resume()
    answers[Math.min(seen.length, answers.length) - 1]?.(request, response)
  })
  try {
    await work(server.url, seen)
  } finally {
    await server.stop()
  }
}

const busy = (_: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(503, { 'retry-after': '0' }).end('{}')
}
const lost = (request: IncomingMessage): void => void request.socket.destroy()
const job = (_: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(201).end(JSON.stringify({ job: { id: 'a' } }))
}

test('a creating call is sent again with the same key, after a busy service and a lost answer', async () => {
  await withAnswers([busy, lost, job], async (baseUrl, seen) => {
    const client = new CutIndex({ apiKey: 'k', baseUrl })
    const answer = await client.api.createJob({ body: { content_url: 'x', workflow: 'shots' } })
    assert.equal(answer.job.id, 'a')
    const keys = seen.map((request) => request.headers['idempotency-key'])
    assert.equal(keys.length, 3)
    assert.equal(new Set(keys).size, 1)
    assert.ok(keys[0])
  })
})

test('a call without a key that may have had its effect is not sent again', async () => {
  await withAnswers([lost, job], async (baseUrl, seen) => {
    const client = new CutIndex({ apiKey: 'k', baseUrl })
    await assert.rejects(
      () => client.api.cancelJob({ params: { id: 'a' } }),
      (error) => error instanceof CutIndexError && error.code === 'network' && error.status === 0,
    )
    assert.equal(seen.length, 1)
  })
})

test('a refused token is named, for it may have been replaced while the call was under way', async () => {
  const refuse = (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(401).end('{}')
  }
  await withAnswers([refuse], async (base) => {
    let token = 'old'
    const refused: (string | null)[] = []
    const onUnauthenticated = (name: string | null): void => void refused.push(name)
    const client = createClient(endpoints, { base, token: () => token, onUnauthenticated })
    const call = client.getMe()
    token = 'new'
    await assert.rejects(call, { code: 'unauthenticated' })
    assert.deepEqual(refused, ['old'])
  })
})

test('retries end, and an abort ends them at once', async () => {
  await withAnswers([busy], async (baseUrl, seen) => {
    const client = new CutIndex({ apiKey: 'k', baseUrl, maxRetries: 2 })
    await assert.rejects(() => client.api.getMe(), { status: 503 })
    assert.equal(seen.length, 3)
    const stop = new AbortController()
    const call = client.api.getMe(undefined, { signal: stop.signal })
    stop.abort()
    await assert.rejects(call, { name: 'AbortError' })
  })
})

test('a limit holds at the service too: the job names the quote', async () => {
  const quoted = (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(200).end(JSON.stringify({ quote: { id: 'q1', total_usd: 1 } }))
  }
  const bodies: string[] = []
  const refuse = (request: IncomingMessage, response: ServerResponse): void => {
    request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()))
    request.on('end', () => response.writeHead(409).end('{"code":"conflict"}'))
  }
  await withAnswers([quoted, refuse], async (baseUrl) => {
    const client = new CutIndex({ apiKey: 'k', baseUrl })
    const run = client.jobs.run({ url: 'https://example.com/a.mov' }, { maxUsd: 2 })
    await assert.rejects(run, { code: 'conflict' })
    assert.equal((JSON.parse(bodies.join('')) as { quote_id?: string }).quote_id, 'q1')
  })
})

test('a job that is placed while its caller stops is canceled', async () => {
  const stop = new AbortController()
  const slow = (): void => stop.abort()
  const canceled = (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(200).end(JSON.stringify({ job: { id: 'a' } }))
  }
  await withAnswers([slow, job, canceled], async (baseUrl, seen) => {
    const client = new CutIndex({ apiKey: 'k', baseUrl })
    const options = { signal: stop.signal }
    const run = client.jobs.run({ url: 'https://example.com/a.mov' }, options)
    await assert.rejects(run, { name: 'AbortError' })
    assert.deepEqual(
      seen.map(({ method, url }) => `${method} ${url}`),
      ['POST /v1/jobs', 'POST /v1/jobs', 'POST /v1/jobs/a/cancel'],
    )
    const keys = seen.slice(0, 2).map(({ headers }) => headers['idempotency-key'])
    assert.ok(keys[0])
    assert.equal(keys[0], keys[1])
  })
})

test('the full analysis is run where no extractor is named', async () => {
  const bodies: string[] = []
  const refuse = (request: IncomingMessage, response: ServerResponse): void => {
    request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()))
    request.on('end', () => response.writeHead(409).end('{"code":"conflict"}'))
  }
  await withAnswers([refuse], async (baseUrl) => {
    const client = new CutIndex({ apiKey: 'k', baseUrl })
    await assert.rejects(() => client.jobs.run({ url: 'https://example.com/a.mov' }))
    const { workflow } = JSON.parse(bodies.join('')) as { workflow: string }
    assert.equal(workflow, fullAnalysis.join(','))
  })
})

test('an export that breaks off is asked for again', async () => {
  const half = (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(200, { 'content-length': '9' }).write('half')
    setImmediate(() => response.destroy())
  }
  const whole = (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(200).end('half more')
  }
  await withAnswers([half, whole], async (baseUrl) => {
    const client = new CutIndex({ apiKey: 'k', baseUrl })
    const file = await client.jobs.export('a', { format: 'csv' })
    assert.equal(await file.data.text(), 'half more')
  })
  await withAnswers([half], async (baseUrl) => {
    const client = new CutIndex({ apiKey: 'k', baseUrl, maxRetries: 0 })
    await assert.rejects(() => client.jobs.export('a', { format: 'csv' }), CutIndexError)
  })
})

test('a service that never answers is given up, also where the caller can stop', async () => {
  await withAnswers([() => undefined], async (baseUrl) => {
    const client = new CutIndex({ apiKey: 'k', baseUrl, maxRetries: 0, timeoutMs: 50 })
    const { signal } = new AbortController()
    const call = client.open(
      'exportJob',
      { params: { id: 'a' }, query: { format: 'csv' } },
      { signal },
    )
    await assert.rejects(call, { code: 'network' })
    const file = new File([new Uint8Array(20)], 'a.bin')
    const small = { pieceBytes: 10 }
    await assert.rejects(() => client.content.upload(file, small), { code: 'network' })
    await assert.rejects(() => client.content.upload(file), { code: 'network' })
  })
})

test('an upload waits for as long as the service joins its pieces', async () => {
  const begun = (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(201, { location: '/v1/content/resumable/u' }).end()
  }
  const joining = (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(423, { 'retry-after': '0' }).end()
  }
  const arrived = (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(200, { 'upload-offset': '20', 'content-location': '/v1/content/c' }).end()
  }
  const item = (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(200).end(JSON.stringify({ content: { id: 'c' } }))
  }
  await withAnswers([begun, lost, joining, joining, arrived, item], async (baseUrl) => {
    const client = new CutIndex({ apiKey: 'k', baseUrl, maxRetries: 1 })
    const file = new File([new Uint8Array(20)], 'a.bin')
    assert.equal((await client.content.upload(file, { pieceBytes: 19 })).id, 'c')
  })
})

test('an error says its code, its status and what to do', async () => {
  const client = await newClient()
  const error = await client.api
    .getJob({ params: { id: '3f9c2a1b-6d0e-4b57-9a4e-0c7f5d1e2a34' } })
    .catch((error: unknown) => error)
  assert.ok(error instanceof CutIndexError)
  assert.equal(error.code, 'not_found')
  assert.equal(error.status, 404)
  assert.match(error.advice, /Check the id/)
  assert.match(error.requestId ?? '', /^[\w-]{36}$/)
})

test('a file is analysed and exported, and the same bytes again cost nothing', async () => {
  const client = await newClient()
  const phases = new Set<string>()
  const file = { name: 'clip.mp4', data: new Blob([new Uint8Array(works.clip)]) }
  const job = await client.jobs.run(file, {
    extractors: ['ffprobe', 'shots'],
    onProgress: ({ phase }) => phases.add(phase),
  })
  assert.equal(job.cost_usd, 0.016)
  assert.ok(phases.has('uploading') && phases.has('completed'))
  const edl = await client.jobs.export(job.id, { format: 'edl' })
  assert.match(edl.name, /\.edl$/)
  assert.match(await edl.data.text(), /01:00:02:00/)
  const again = await client.jobs.run(file, { extractors: ['ffprobe', 'shots'], maxUsd: 0 })
  assert.equal(again.cost_usd, 0)
  assert.equal(again.content_id, job.content_id)
  const expensive = client.jobs.run(file, { extractors: ['thumbnail'], maxUsd: 0.01 })
  await assert.rejects(
    expensive,
    (error) => error instanceof TooExpensive && error.totalUsd === 0.02,
  )
})

test('an aborted run cancels its job', async () => {
  const client = await newClient()
  const stop = new AbortController()
  let id = ''
  const run = client.jobs.run(
    { name: 'clip.mp4', data: new Blob([new Uint8Array(works.silentClip)]) },
    {
      extractors: ['thumbnail'],
      signal: stop.signal,
      onProgress: ({ job }) => {
        id = job?.id ?? ''
        if (job) stop.abort()
      },
    },
  )
  await assert.rejects(run, { name: 'AbortError' })
  const { job } = await until(
    () => client.api.getJob({ params: { id } }),
    ({ job }) => job.finished_at !== null,
  )
  assert.deepEqual([job.status, job.cost_usd], ['canceled', 0])
})

test('lists are read to their end, page by page', async () => {
  const client = await newClient()
  for (const name of ['a', 'b', 'c']) {
    await client.content.upload({ name: `${name}.txt`, data: new Blob([name]) })
  }
  const names: string[] = []
  for await (const item of client.content.list({ limit: 1, sort: 'name', order: 'asc' })) {
    names.push(item.file_name)
  }
  assert.deepEqual(names, ['a.txt', 'b.txt', 'c.txt'])
})

test(
  'a large upload goes on after lost connections, and after a restart from its address',
  slow,
  async () => {
    const bytes = randomBytes(20 * 1024 ** 2)
    const data = new Blob([new Uint8Array(bytes)])
    let patches = 0
    const client = await newClient({
      fetch: async (address, init) => {
        if (init?.method !== 'PATCH') return fetch(address, init)
        patches += 1
        // The first piece never leaves; of the second and the last, only the answer is lost.
        if (patches === 1) throw new TypeError('lost')
        const answer = await fetch(address, init)
        if (patches === 3 || patches === 4) throw new TypeError('lost')
        return answer
      },
    })
    let address = ''
    const item = await client.content.upload(
      { name: 'large.bin', data },
      { onStarted: (started) => (address = started) },
    )
    assert.equal(item.file_size, bytes.length)
    assert.equal(item.file_name, 'large.bin')
    assert.equal(patches, 4)
    const again = await client.content.upload({ name: 'large.bin', data }, { resumeFrom: address })
    assert.equal(again.id, item.id)
    const fresh = await client.content.upload({ name: 'other.bin', data })
    assert.equal(fresh.id, item.id, 'the same bytes are the same item')
    await client.api.deleteContent({ params: { id: item.id } })
    const second = await client.content.upload({ name: 'large.bin', data }, { resumeFrom: address })
    assert.notEqual(second.id, item.id, 'a deleted item is uploaded again')
  },
)

test('an aborted upload is given up on the server too', async () => {
  const stop = new AbortController()
  const client = await newClient()
  let address = ''
  const data = new Blob([new Uint8Array(randomBytes(18 * 1024 ** 2))])
  const upload = client.content.upload(
    { name: 'large.bin', data },
    {
      signal: stop.signal,
      onStarted: (started) => (address = started),
      onProgress: (sent) => sent > 0 && stop.abort(),
    },
  )
  await assert.rejects(upload, { name: 'AbortError' })
  let next = ''
  await client.content.upload(
    { name: 'large.bin', data },
    { resumeFrom: address, onStarted: (started) => (next = started) },
  )
  assert.ok(next && next !== address, 'there is nothing to go on with')
})

test('a webhook is taken with the right signature only', async () => {
  const secret = randomBytes(24).toString('base64')
  const body = '{"type":"job.completed"}'
  const seconds = String(Math.floor(Date.now() / 1000))
  const sign = (text: string): string =>
    `v1,${createHmac('sha256', Buffer.from(secret, 'base64')).update(text).digest('base64')}`
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,AAAA ${sign(`msg_1.${seconds}.${body}`)}`,
  }
  const message = { body, headers, secret: `whsec_${secret}` }
  assert.deepEqual(await verifyWebhook(message), { type: 'job.completed' })
  await assert.rejects(() => verifyWebhook({ ...message, body: `${body} ` }), /signature is wrong/)
  await assert.rejects(
    () => verifyWebhook({ ...message, now: Date.now() + 400_000 }),
    /older than five minutes/,
  )
  await assert.rejects(() => verifyWebhook({ ...message, headers: {} }), /webhook-id is missing/)
})
