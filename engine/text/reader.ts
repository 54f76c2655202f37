/** Reads the text of a video: takes grey frames in order, returns the readings at the end. */
import { takeTurns } from '../models/in-turn.ts'
import { startModel } from '../models/start.ts'
import type { TextMethods, TextReadings, TextSettings } from './text-process.ts'

export interface TextReader {
  /** Resolves when there is room for more; the bytes may be reused from then on. */
  push(gray: Uint8Array, frame: number): Promise<void>
  /** Starts as if the next frame were the first one. */
  breakOff(): void
  finish(): Promise<TextReadings>
  stop(): void
  cpuSeconds(): number
}

const framesUnderWay = 3

export function createTextReader(
  settings: TextSettings & { step: number },
  options: { signal?: AbortSignal } = {},
): TextReader {
  const { step, ...look } = settings
  const model = startModel<TextMethods>(new URL('text-process.ts', import.meta.url), options)
  const turns = takeTurns(model, framesUnderWay)
  turns.send(model.call('start', look))
  return {
    async push(gray, frame) {
      turns.send(model.call('push', { gray, frame }))
      await turns.room()
    },
    breakOff: () => turns.send(model.call('breakOff', null)),
    async finish() {
      const readings = await turns.finish(() => model.call('finish', null))
      return { readings, width: look.width, height: look.height, step }
    },
    stop: () => model.stop(),
    cpuSeconds: () => model.cpuSeconds(),
  }
}
