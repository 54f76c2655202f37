/** The process that makes a quick proxy: takes one order, and reports each segment. */
import { serve } from '../../engine/processes/serve.ts'
import type { Report } from '../../engine/processes/serve.ts'
import { makeQuickProxy } from '../../engine/quick-proxy.ts'
import type { QuickProxy, QuickProxyOrder } from '../../engine/quick-proxy.ts'

serve({
  run: (order: QuickProxyOrder, report: Report): Promise<QuickProxy> =>
    makeQuickProxy(order, { onSegment: (segment) => report(segment) }),
})
