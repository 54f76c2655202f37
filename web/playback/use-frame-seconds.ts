import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { readFrameSeconds } from './frame-seconds.ts'

/** By address: when the frames of these proxies begin, as soon as that was read. */
export function useFrameSeconds(urls: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const loaded = useQueries({
    queries: urls.map((url) => ({
      queryKey: ['frame-seconds', pathOf(url)],
      queryFn: ({ signal }: { signal: AbortSignal }) => readFrameSeconds(url, signal),
      staleTime: Infinity,
      retry: 1,
    })),
  })
  const marks = loaded.map(({ dataUpdatedAt }) => dataUpdatedAt).join()
  const names = urls.join('\n')
  return useMemo(
    () =>
      new Map(
        urls.flatMap((url, index) => {
          const seconds = loaded[index]?.data
          return seconds ? [[url, seconds]] : []
        }),
      ),
    // Both are new with every render; their names and marks change with them.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [names, marks],
  )
}

/** Without the ticket, which is signed again and again. */
function pathOf(url: string): string {
  return url.split('?')[0] ?? url
}
