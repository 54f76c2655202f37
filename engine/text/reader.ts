/** Reads the text of a video: takes grey frames in order, returns the readings at the end. */
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
  const underWay: Promise<null>[] = []
  const send = (call: Promise<null>): void => {
    // A failure is reported by the next push or by finish, not as an unhandled rejection.
    call.catch(() => undefined)
    underWay.push(call)
  }
  send(model.call('start', look))
  return {
    async push(gray, frame) {
      send(model.call('push', { gray, frame }))
      if (underWay.length > framesUnderWay) await underWay.shift()
    },
    breakOff: () => send(model.call('breakOff', null)),
    async finish() {
      try {
        await Promise.all(underWay)
        const readings = await model.call('finish', null)
        return { readings, width: look.width, height: look.height, step }
      } finally {
        model.stop()
      }
    },
    stop: () => model.stop(),
    cpuSeconds: () => model.cpuSeconds(),
  }
}
