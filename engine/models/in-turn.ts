/** Calls of a model that are sent one after the other, a few of them at a time under way. */
export interface Turns {
  /** A failure is reported by `room` or by `finish`, not as an unhandled rejection. */
  send(call: Promise<null>): void
  /** Resolves when there is room for another call. */
  room(): Promise<void>
  /** Sends `rest` and asks for the end; the process is gone afterwards. */
  finish<Answer>(last: () => Promise<Answer>, rest?: () => Promise<void>): Promise<Answer>
}

export function takeTurns(model: { stop(): void }, maxUnderWay: number): Turns {
  const underWay: Promise<null>[] = []
  return {
    send(call) {
      call.catch(() => undefined)
      underWay.push(call)
    },
    async room() {
      if (underWay.length > maxUnderWay) await underWay.shift()
    },
    async finish(last, rest) {
      try {
        await rest?.()
        await Promise.all(underWay)
        return await last()
      } finally {
        model.stop()
      }
    },
  }
}
