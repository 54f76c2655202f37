/**
 * The keys that more than one file uses for what the service has answered, and what is asked again
 * after a change. A key that one file uses alone stands there.
 */
import type { QueryClient } from '@tanstack/react-query'

export const keys = {
  me: ['me'],
  recentJobs: ['jobs'],
  jobList: ['job-list'],
  job: ['job'],
  content: ['content'],
  projects: ['projects'],
  batches: ['batches'],
  billingStats: ['billing-stats'],
  billingHistory: ['billing-history'],
  cards: ['payment-methods'],
  cuts: ['cuts'],
  cut: ['cut'],
  preferences: ['preferences'],
  projectOf: ['project-of'],
  corrections: ['corrections'],
  comments: ['comments'],
  sharedComments: ['shared-comments'],
  apiKeys: ['api-keys'],
  quote: ['quote'],
} as const

/** After credit was spent, held or bought. */
export function refreshMoney(queries: QueryClient): void {
  for (const queryKey of [keys.me, keys.billingStats, keys.billingHistory]) {
    void queries.invalidateQueries({ queryKey })
  }
}

/** After a job was placed, ended or deleted. */
export async function refreshJobs(queries: QueryClient): Promise<void> {
  await Promise.all(
    [keys.recentJobs, keys.jobList].map((queryKey) => queries.invalidateQueries({ queryKey })),
  )
}
