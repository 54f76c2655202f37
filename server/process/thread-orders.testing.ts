/** A thread that does what a hostile file would make a parser do. */
import { runTool } from '../../engine/tools/run.ts'
import { serveThread } from './serve-thread.ts'

export type TestOrder =
  | { kind: 'echo'; text: string }
  | { kind: 'loop' }
  | { kind: 'memory' }
  | { kind: 'fault' }
  /** Decodes a clip again and again. */
  | { kind: 'tool'; file: string; mark: string }

serveThread(async (order: TestOrder): Promise<string> => {
  if (order.kind === 'echo') return order.text
  if (order.kind === 'fault') throw new Error('no such page')
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
})
