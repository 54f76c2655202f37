/** A worker: asks for the server's description and answers with what it says, or with nothing. */
import { readReference } from './openapi.ts'

const response = await fetch('/openapi.yaml').catch(() => null)
postMessage(response?.ok ? readReference(await response.text()) : null)
