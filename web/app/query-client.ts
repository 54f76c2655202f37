/** The cache of calls to the service: when a call is repeated, and how its failure is shown. */
import { MutationCache, QueryClient } from '@tanstack/react-query'
import { isOutage, showFailure } from './failures.ts'
import type { FailureWords } from './failures.ts'
import { onServiceBack } from '../session/service-state.ts'

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: { failure?: FailureWords }
  }
}

const maxRetries = 2

/** Asks again only where asking again can help: not after the service has refused. */
export function createQueryClient(staleTime = 0): QueryClient {
  const client = new QueryClient({
    mutationCache: new MutationCache({
      onError: (error, _input, _before, { meta }) => {
        if (meta?.failure) showFailure(error, meta.failure)
      },
    }),
    defaultOptions: {
      queries: { retry: (count, error) => count < maxRetries && isOutage(error), staleTime },
    },
  })
  onServiceBack(() => void client.invalidateQueries())
  return client
}
