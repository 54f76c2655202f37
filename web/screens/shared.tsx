import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { createQueryClient } from '../app/query-client.ts'
import { SharedPage } from '../features/cuts/share/shared-page.tsx'

/** /shared/:token: what a link shows, to anyone who has it. */
export function Shared() {
  const { token = '' } = useParams()
  const [queries] = useState(() => createQueryClient())
  return (
    <QueryClientProvider client={queries}>
      <SharedPage key={token} token={token} />
    </QueryClientProvider>
  )
}
