/** Which sign-in modal is open. The top bar, a guard and a Buy Now button all open the same one. */
import { useSyncExternalStore } from 'react'

export type SignInPrompt = 'login' | 'signup' | null

let prompt: SignInPrompt = null
const listeners = new Set<() => void>()

export function useSignInPrompt(): SignInPrompt {
  return useSyncExternalStore(
    subscribe,
    () => prompt,
    () => null,
  )
}

export function openSignIn(next: SignInPrompt): void {
  prompt = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
