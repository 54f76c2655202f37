/** The process of a part: takes one order from the worker, runs the engine and reports. */
import { runPart } from '../../engine/parts/run-part.ts'
import type { PartEnd, PartOrder } from '../../engine/parts/run-part.ts'
import { serve, throttle } from '../../engine/processes/serve.ts'
import type { Report } from '../../engine/processes/serve.ts'

serve({
  run: async (order: PartOrder, report: Report): Promise<{ part: PartEnd }> => ({
    part: await runPart(order, { onProgress: throttle(report, 500) }),
  }),
})
