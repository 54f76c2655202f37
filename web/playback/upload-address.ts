import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../app/api.ts'
import { openGrowingSource } from './growing-source.ts'

/** An address lives four hours (server/content/download.ts). */
const renewMs = 3.5 * 3600_000
const lifeMs = 4 * 3600_000
const askEveryMs = 1500
const unreachable = 'The clip could not be loaded. Reload the page to try again.'

export interface UploadAddress {
  url: string | null
  isUnplayable: boolean
  /** Why nothing plays, or when it will. */
  message: string | null
  onFault: () => void
}

/** The uploaded file itself or a quick proxy, for a player; null: none is wanted. */
export function useUploadAddress(contentId: string | null): UploadAddress {
  const [failed, setFailed] = useState<string | null>(null)
  const original_failed = contentId !== null && failed === contentId
  const { data, isLoadingError, dataUpdatedAt, refetch } = useQuery({
    queryKey: ['playback', contentId, original_failed],
    queryFn: async () => {
      const call = { params: { id: contentId ?? '' }, body: { original_failed } }
      return (await api.createPlayback(call)).playback
    },
    enabled: contentId !== null,
    staleTime: renewMs,
    refetchInterval: ({ state }) =>
      (state.data?.starts_in_seconds ?? null) === null ? renewMs : askEveryMs,
    retry: false,
  })
  const { kind, format, url = null, seconds = 0, starts_in_seconds: wait = null } = data ?? {}
  const isList = format === 'list' && typeof MediaSource !== 'undefined'
  const list = isList && wait === null ? url : null
  const grown = useGrowingAddress(list, seconds, () => void refetch())
  const playable = isList ? grown : url
  return {
    url: contentId === null || wait !== null ? null : playable,
    isUnplayable: kind === 'refused',
    message: isLoadingError
      ? unreachable
      : wait === null
        ? (data?.message ?? null)
        : `Preview in about ${wait} s`,
    onFault() {
      // A machine that slept comes back with an address that is over.
      if (kind !== 'original' || Date.now() - dataUpdatedAt >= lifeMs) void refetch()
      else setFailed(contentId)
    },
  }
}

function useGrowingAddress(
  list: string | null,
  seconds: number,
  onFault: () => void,
): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (list === null) return undefined
    const source = openGrowingSource({ list, seconds, onFault })
    setAddress(source.url)
    return () => {
      source.close()
      setAddress(null)
    }
    // The handler is a new one each time and does the same.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [list, seconds])
  return address
}
