import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestServer } from '../../test/support/app.ts'
import { startTracing, traceExtractor, traceJob } from './trace.ts'
import { startHttp } from '../../test/support/http.ts'

interface Sent {
  resourceSpans: {
    scopeSpans: {
      spans: { name: string; spanId: string; parentSpanId?: string; traceId: string }[]
    }[]
  }[]
}

test('requests, jobs and extractors reach a collector as spans', async () => {
  const sent: Sent[] = []
  const paths: string[] = []
  const collector = await startHttp((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      paths.push(request.url ?? '')
      sent.push(JSON.parse(Buffer.concat(chunks).toString()) as Sent)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  const server = await startTestServer({
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  })
  const stop = await startTracing(server.ctx.config, 'api')
  await server.fetch('/v1/health')
  await server.fetch('/v1/nowhere', { method: 'POST' })
  await traceJob({ id: 'job-1', attempt: 1 }, async () => {
    traceExtractor('job-1', 'shots', 'done')
  })
  await stop()
  await server.stop()
  await collector.stop()
  assert.ok(paths.every((path) => path === '/v1/traces'))
  const spans = sent.flatMap((request) =>
    request.resourceSpans.flatMap((resource) =>
      resource.scopeSpans.flatMap((scope) => scope.spans),
    ),
  )
  const find = (name: string) => spans.find((span) => span.name === name)
  assert.ok(find('GET /v1/health'))
  assert.ok(find('POST'))
  assert.deepEqual(
    spans.filter(({ name }) => name !== name.trim()),
    [],
  )
  const job = find('job')
  const extractor = find('extractor shots')
  assert.ok(job && extractor)
  assert.equal(extractor.parentSpanId, job.spanId)
  assert.equal(extractor.traceId, job.traceId)
})
