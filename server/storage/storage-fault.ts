import { Refusal } from '../ground/refusal.ts'
import { StoreAway } from '../ground/storage.ts'

/** A full disk and a store that is away are reported as such; everything else stays what it is. */
export function storageFault(error: unknown): unknown {
  if (error instanceof StoreAway) return storeAway()
  const code = (error as NodeJS.ErrnoException).code ?? ''
  if (!['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)) return error
  return new Refusal(
    'storage_full',
    'Our storage is full. Nothing was kept; please try again later.',
    { retryAfterSeconds: 300 },
  )
}

export function storeAway(): Refusal {
  return new Refusal(
    'unavailable',
    'Our file storage is not responding. Nothing was lost; please try again in a minute.',
    { retryAfterSeconds: 60 },
  )
}
