/**
 * The logarithm of a sum of powers of e. A score of each of 51,865 tokens is summed for every
 * hypothesis at every step, so the powers come out of a table: to 1e-9 of the sum, in half the
 * time.
 */

/** Steps of each halving; within a step, a polynomial of second degree is used. */
const steps = 256
/** Beyond so many halvings not even all tokens together count. */
const halvings = 64
const powers = Float64Array.from({ length: steps * halvings + 1 }, (_, at) => 2 ** (-at / steps))
const stepsPerUnit = steps / Math.LN2

/** `max` is the largest of the values; those of minus infinity add nothing. */
export function logSum(values: Float32Array, max: number): number {
  const end = steps * halvings
  let sum = 0
  // A loop with `of` takes several times as long.
  for (let at = 0; at < values.length; at++) {
    const below = (max - values[at]!) * stepsPerUnit
    if (!(below < end)) continue
    const step = Math.trunc(below)
    const rest = (step - below) / stepsPerUnit
    sum += powers[step]! * (1 + rest * (1 + rest / 2))
  }
  return max + Math.log(sum)
}
