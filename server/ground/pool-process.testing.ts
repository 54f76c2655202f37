/** A process that does what a hostile file would make a parser do. */
import { readdirSync } from 'node:fs'
import os from 'node:os'
import { runTool } from '../../engine/tools/run.ts'
import { serve } from '../../engine/processes/serve.ts'

export type TestOrder =
  | { kind: 'echo'; text: string }
  | { kind: 'loop' }
  | { kind: 'memory' }
  | { kind: 'fault' }
  /** Reports the names in its environment and the priority of each of its threads. */
  | { kind: 'self' }
  /** Decodes a clip again and again. */
  | { kind: 'tool'; file: string; mark: string }

serve({ run })

async function run(order: TestOrder): Promise<string> {
  if (order.kind === 'echo') return order.text
  if (order.kind === 'fault') throw new Error('no such page')
  if (order.kind === 'self') {
    const threads = readdirSync('/proc/self/task').map(Number)
    const priorities = threads.map((thread) => os.getPriority(thread))
    return JSON.stringify({ names: Object.keys(process.env), priorities })
  }
  if (order.kind === 'tool') {
    await runTool({
      tool: 'ffmpeg',
      input: order.file,
      wallMs: 300_000,
      args: ({ input }) => [
        ...['-v', 'error', '-nostdin', '-stream_loop', '-1', '-re', '-i', input],
        ...['-metadata', `comment=${order.mark}`, '-f', 'null', '-'],
      ],
    })
    return 'ended'
  }
  const hoard: number[][] = []
  for (let index = 0; ; index += 1) {
    if (order.kind === 'memory') hoard.push(Array.from({ length: 100_000 }, () => index + 0.5))
  }
}
