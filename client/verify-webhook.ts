/**
 * Checks that a webhook came from the service: Standard Webhooks, HMAC-SHA-256 over
 * `id.timestamp.body` with the secret that the webhook was created with.
 */
const toleranceSeconds = 300

/** Throws where the signature is wrong or too old; else gives the event. */
export async function verifyWebhook<Event = unknown>(message: {
  /** The body as it arrived, before it is parsed. */
  body: string
  headers: Headers | Record<string, string | string[] | undefined>
  /** `whsec_…` */
  secret: string
  /** For tests; in milliseconds. */
  now?: number
}): Promise<Event> {
  const id = headerOf(message.headers, 'webhook-id')
  const timestamp = headerOf(message.headers, 'webhook-timestamp')
  const signatures = headerOf(message.headers, 'webhook-signature')
  const age = Math.abs((message.now ?? Date.now()) / 1000 - Number(timestamp))
  if (!(age <= toleranceSeconds)) throw new Error('The webhook is older than five minutes.')
  const key = await crypto.subtle.importKey(
    'raw',
    bytesOf(message.secret.replace(/^whsec_/, '')),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${message.body}`)
  for (const entry of signatures.split(' ')) {
    const [version, signature = ''] = entry.split(',')
    if (version !== 'v1') continue
    if (await crypto.subtle.verify('HMAC', key, bytesOf(signature), signed)) {
      return JSON.parse(message.body) as Event
    }
  }
  throw new Error('The webhook’s signature is wrong. Check the secret, and that the body is raw.')
}

function headerOf(headers: Headers | Record<string, unknown>, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  if (typeof value !== 'string') throw new Error(`The header ${name} is missing.`)
  return value
}

/** Nothing for text that is no base64, which no signature matches. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0)
  } catch {
    return new Uint8Array()
  }
}
