/** The process that renders a link's proxy: takes one order, runs the engine and reports. */
import { serve } from '../../engine/processes/serve.ts'
import type { Report } from '../../engine/processes/serve.ts'
import { renderProxy } from '../../engine/render-proxy.ts'
import type { RenderedProxy, RenderOrder } from '../../engine/render-proxy.ts'
import type { RenderProgress } from './render.ts'

serve({
  run: (order: RenderOrder, report: Report): Promise<RenderedProxy> =>
    renderProxy(order, {
      onProgress: (part, bytes) => void report({ part, bytes } satisfies RenderProgress),
    }),
})
