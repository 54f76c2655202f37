/**
 * OpenTelemetry traces, where `OTEL_EXPORTER_OTLP_ENDPOINT` names a collector: a span for each
 * request, for each attempt at a job and, below it, for each extractor. Without the setting none of
 * the packages is loaded. Spans hold ids, routes and codes, never content or addresses.
 */
import type * as openTelemetry from '@opentelemetry/api'
import type { Context as SpanContext, Span, SpanOptions, Tracer } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from './config.ts'

interface Tracing {
  tracer: Tracer
  api: typeof openTelemetry
}

let tracing: Tracing | null = null

/** Starts tracing; returns a function that sends the last spans and stops. */
export async function startTracing(
  config: Config,
  role: 'api' | 'worker',
): Promise<() => Promise<void>> {
  const endpoint = config.otlpEndpoint
  if (!endpoint) return async () => undefined
  const [api, sdk, exporting, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const exporter = new exporting.OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
  })
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({
      'service.name': `cutindex-${role}`,
      'service.version': config.version,
    }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  tracing = { tracer: provider.getTracer('cutindex', config.version), api }
  return async () => {
    tracing = null
    await provider.shutdown().catch(() => undefined)
  }
}

const spans = new WeakMap<FastifyRequest, Span>()

export function traceRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!tracing) return done()
    const route = request.routeOptions.url
    const span = open(route ? `${request.method} ${route}` : request.method, {
      kind: tracing.api.SpanKind.SERVER,
      attributes: {
        'http.request.method': request.method,
        ...(route ? { 'http.route': route } : {}),
        'cutindex.request_id': request.id,
      },
    })
    if (span) spans.set(request, span)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    if (!span || !tracing) return done()
    span.setAttribute('http.response.status_code', reply.statusCode)
    if (reply.statusCode >= 500) span.setStatus({ code: tracing.api.SpanStatusCode.ERROR })
    span.end()
    done()
  })
}

/** Runs an attempt at a job inside a span, which extractors find by the job's id. */
export async function traceJob<Made>(
  job: { id: string; attempt: number },
  run: () => Promise<Made>,
): Promise<Made> {
  const span = open('job', {
    attributes: { 'cutindex.job_id': job.id, 'cutindex.attempt': job.attempt },
  })
  if (span && tracing) {
    running.set(job.id, {
      startedAt: Date.now(),
      parent: tracing.api.trace.setSpan(tracing.api.ROOT_CONTEXT, span),
    })
  }
  try {
    return await run()
  } catch (error) {
    if (tracing) span?.setStatus({ code: tracing.api.SpanStatusCode.ERROR })
    throw error
  } finally {
    running.delete(job.id)
    span?.end()
  }
}

const running = new Map<string, { startedAt: number; parent: SpanContext }>()

/** Extractors share one pass: a span lasts from the pass's start to the extractor's result. */
export function traceExtractor(jobId: string, extractor: string, status: string): void {
  const job = running.get(jobId)
  if (!job || !tracing) return
  const attributes = { 'cutindex.extractor': extractor, 'cutindex.status': status }
  tracing.tracer
    .startSpan(`extractor ${extractor}`, { startTime: job.startedAt, attributes }, job.parent)
    .end()
}

function open(name: string, options: SpanOptions): Span | undefined {
  return tracing?.tracer.startSpan(name, options, tracing.api.ROOT_CONTEXT)
}
