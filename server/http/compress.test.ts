import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { startTestServer } from '../../test/support/app.ts'
import { chooseEncoding, compressAnswers } from './compress.ts'

const long = { words: Array.from({ length: 500 }, (_, at) => ({ text: `wörd ${at}`, start: at })) }

function server() {
  const app = Fastify()
  compressAnswers(app)
  app.get('/long', () => long)
  app.get('/short', () => ({ status: 'ok' }))
  app.get('/bytes', (_request, reply) =>
    reply.type('application/octet-stream').send(JSON.stringify(long)),
  )
  app.get('/origin', (_request, reply) => reply.header('vary', 'Origin').send(long))
  return app
}

async function get(path: string, accepted?: string) {
  const headers = accepted === undefined ? {} : { 'accept-encoding': accepted }
  return await server().inject({ url: path, headers })
}

test('a long answer comes compressed, as the client takes it, with the same content', async () => {
  const brotli = await get('/long', 'gzip, deflate, br')
  assert.equal(brotli.headers['content-encoding'], 'br')
  assert.deepEqual(JSON.parse(brotliDecompressSync(brotli.rawPayload).toString()), long)
  assert.equal(Number(brotli.headers['content-length']), brotli.rawPayload.length)
  const zipped = await get('/long', 'gzip;q=0.8, br;q=0')
  assert.equal(zipped.headers['content-encoding'], 'gzip')
  assert.deepEqual(JSON.parse(gunzipSync(zipped.rawPayload).toString()), long)
})

test('who does not ask for it, and what does not gain by it, gets plain bytes', async () => {
  for (const [path, accepted] of [
    ['/long', undefined],
    ['/long', 'identity'],
    ['/short', 'br'],
    ['/bytes', 'br'],
  ] as const) {
    const answer = await get(path, accepted)
    assert.equal(answer.headers['content-encoding'], undefined, `${path} ${accepted}`)
  }
  assert.deepEqual((await get('/long')).json(), long)
})

test('a cache learns that the answer depends on what the client takes', async () => {
  assert.equal((await get('/long')).headers.vary, 'Accept-Encoding')
  assert.equal((await get('/origin', 'br')).headers.vary, 'Origin, Accept-Encoding')
})

test('the encoding follows the weights of the client', () => {
  assert.equal(chooseEncoding('BR'), 'br')
  assert.equal(chooseEncoding('gzip;q=0, br;q=0.0'), null)
  assert.equal(chooseEncoding('zstd, gzip'), 'gzip')
  assert.equal(chooseEncoding(''), null)
})

test('the API compresses its own long answers', async (t) => {
  const api = await startTestServer()
  t.after(() => api.stop())
  const answer = await api.fetch('/openapi.yaml')
  assert.ok(answer.headers.get('content-encoding'), 'fetch asks for it')
  assert.match(await answer.text(), /^openapi: /)
})
