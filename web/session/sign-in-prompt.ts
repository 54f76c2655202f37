/** Which sign-in modal is open. The top bar, a guard and a Buy Now button all open the same one. */
import { useSyncExternalStore } from 'react'
import { forgetWantedPackage } from './wanted-package.ts'
import { createSignal } from '../dom/signal.ts'

export type SignInPrompt = 'login' | 'signup' | null

let prompt: SignInPrompt = null
const { announce, subscribe } = createSignal()

export function useSignInPrompt(): SignInPrompt {
  return useSyncExternalStore(
    subscribe,
    () => prompt,
    () => null,
  )
}

export function openSignIn(next: SignInPrompt): void {
  prompt = next
  // Closing the modal is turning back: a later login does not end in a purchase.
  if (next === null) forgetWantedPackage()
  announce()
}
