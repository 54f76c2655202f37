/**
 * Marks what only `npm run test:whole` runs: `test('…', slow, async () => …)`. `npm test` leaves it
 * out and counts it. docs/decisions/0005-tests.md says what may be slow.
 */

/** For cases within a test: `isWholeRun ? everyLook : threeLooks`. */
export const isWholeRun = process.env.TEST_WHOLE === '1'

export const leftOut = 'slow: npm run test:whole'

/** The option of a test, or of a suite whose `before` is not worth its cost either. */
export const slow: { skip: false | string } = { skip: isWholeRun ? false : leftOut }

/** For a list of cases of which only some are worth a place in the short run. */
export function slowUnless(isShort: boolean): { skip: false | string } {
  return isShort ? { skip: false } : slow
}
