import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { isOutage } from '../app/api.ts'
import { SharedPage } from '../features/cuts/share/shared-page.tsx'

const retries = 2

/** /shared/:token: what a link shows, to anyone who has it. */
export function Shared() {
  const { token = '' } = useParams()
  const [queries] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: { retry: (count, error) => count < retries && isOutage(error) },
        },
      }),
  )
  return (
    <QueryClientProvider client={queries}>
      <SharedPage key={token} token={token} />
    </QueryClientProvider>
  )
}
