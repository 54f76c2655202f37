/**
 * Load this before `node:test`, which follows every promise of a process to know which test an `it`
 * or an error belongs to. That costs about a tenth of the run, so it may do so only while a file
 * declares its tests; an error that nobody catches is counted for the file that runs
 * (test-process.ts).
 */
import asyncHooks from 'node:async_hooks'

const { createHook } = asyncHooks
let hook: asyncHooks.AsyncHook | null = null

asyncHooks.createHook = (callbacks) => {
  hook = createHook(callbacks)
  return hook
}

export function followContexts(): void {
  hook?.enable()
}

export function forgetContexts(): void {
  hook?.disable()
}
