/** A worker: asks for the server's description and answers with what it says, or with nothing. */
import { readReference } from './openapi.ts'

answer().catch(() => postMessage(null))

async function answer(): Promise<void> {
  const response = await fetch('/openapi.yaml').catch(() => null)
  postMessage(response?.ok ? readReference(await response.text()) : null)
}
