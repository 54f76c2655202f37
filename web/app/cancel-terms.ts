import { usd } from './format.ts'

/** Says what canceling a job costs. */
export function cancelTerms(heldUsd: number | undefined): string {
  const hold = heldUsd === undefined ? 'hold' : `${usd(heldUsd)} hold`
  return (
    'You pay for finished extractors, for words that you have read and, once the job has run longer ' +
    `than its media lasts, for the share of the others that is done. The rest of the ${hold} is returned.`
  )
}
