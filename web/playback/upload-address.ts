import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../app/api.ts'

/** An address lives four hours (server/content/download.ts). */
const renewMs = 3.5 * 3600_000
const lifeMs = 4 * 3600_000

export interface UploadAddress {
  url: string | null
  /** This browser has tried to play it, and cannot. */
  isUnplayable: boolean
  onFault: () => void
}

/** The uploaded file itself, for a player; null: none is wanted. */
export function useUploadAddress(contentId: string | null): UploadAddress {
  const [unplayable, setUnplayable] = useState<string | null>(null)
  const isUnplayable = contentId !== null && unplayable === contentId
  const { data, dataUpdatedAt, refetch } = useQuery({
    queryKey: ['upload-address', contentId],
    queryFn: () => api.createPlayTicket({ params: { id: contentId ?? '' } }),
    enabled: contentId !== null && !isUnplayable,
    staleTime: renewMs,
    refetchInterval: renewMs,
    retry: false,
  })
  return {
    url: isUnplayable || contentId === null ? null : (data?.url ?? null),
    isUnplayable,
    onFault() {
      // A machine that slept comes back with an address that is over.
      if (Date.now() - dataUpdatedAt >= lifeMs) void refetch()
      else setUnplayable(contentId)
    },
  }
}
