/** Whether the service has its database: once an answer denies it, asks until it is back. */
import { useSyncExternalStore } from 'react'
import { createSignal } from '../dom/signal.ts'
import { currentApiAddress } from '../app/api-address.ts'

const askEveryMs = 3000

let isAway = false
const change = createSignal()
const back = createSignal()

export const onServiceBack = back.subscribe

export function useServiceAway(): boolean {
  return useSyncExternalStore(
    change.subscribe,
    () => isAway,
    () => false,
  )
}

export function noteServiceAway(): void {
  if (isAway) return
  isAway = true
  change.announce()
  const timer = setInterval(() => void lookAgain(timer), askEveryMs)
}

async function lookAgain(timer: ReturnType<typeof setInterval>): Promise<void> {
  if (!(await isHealthy()) || !isAway) return
  clearInterval(timer)
  isAway = false
  change.announce()
  back.announce()
}

async function isHealthy(): Promise<boolean> {
  try {
    return (await fetch(`${currentApiAddress()}/v1/health`)).ok
  } catch {
    return false
  }
}
