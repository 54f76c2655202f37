/** The one way to wait in a test: look again and again, with a bound, instead of sleeping. */
import { inspect } from 'node:util'
import { setTimeout as wait } from 'node:timers/promises'

/** Pauses a tenth of the time that has passed: a call of the API takes 5 ms of processor time. */
const pauses = { share: 0.1, minMs: 10, maxMs: 250 }
/** Long, for a machine that does much else: a test that passes never waits for it. */
const standardLimitMs = 180_000

/** Reads until the value is the wanted one or accepted; fails after three minutes. */
export async function until<T>(
  read: () => T | Promise<T>,
  wanted: NoInfer<T> | ((value: T) => boolean) = Boolean,
  limitMs = standardLimitMs,
): Promise<T> {
  const isDone =
    typeof wanted === 'function'
      ? (wanted as (value: T) => boolean)
      : (value: T): boolean => value === wanted
  const started = performance.now()
  for (;;) {
    const value = await read()
    if (isDone(value)) return value
    const passedMs = performance.now() - started
    if (passedMs > limitMs) {
      throw new Error(`Waited ${limitMs / 1000} s in vain; the last value was ${inspect(value)}.`)
    }
    await wait(Math.min(pauses.maxMs, Math.max(pauses.minMs, passedMs * pauses.share)))
  }
}
