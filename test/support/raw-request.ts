/** Sends what no client would, and judges the answer. */
import { request } from 'node:http'
import { ErrorAnswer } from '../../contract/refusal.ts'

export interface Answer {
  status: number
  text: string
  headers: Record<string, string | string[] | undefined>
}

export interface Sent {
  method: string
  path: string
  headers: Record<string, string>
  body?: string | Uint8Array
}

/** Repeats a request whose connection was cut under a large body, as the answer may be lost. */
export async function knock(url: string, sent: Sent): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await sendOnce(url, sent)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET' || tries === 5) throw error
    }
  }
}

/** node:http sends what fetch would correct or refuse: odd methods, addresses and headers. */
function sendOnce(url: string, sent: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const { method, path, headers, body } = sent
    const call = request({ hostname, port, method, path, headers }, (response) => {
      const isStream = response.headers['content-type']?.startsWith('text/event-stream')
      let text = ''
      const done = (): void =>
        resolve({ status: response.statusCode ?? 0, text, headers: response.headers })
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', done)
      response.on('error', reject)
      if (isStream) {
        done()
        call.destroy()
      }
    })
    call.on('error', (error: NodeJS.ErrnoException) => {
      // An answer may come before a large body is through; the rest of it is then cut.
      if (error.code !== 'EPIPE') reject(error)
    })
    // Without its length, the body of a DELETE would be taken for another request.
    if (body !== undefined) call.setHeader('content-length', Buffer.byteLength(body))
    call.end(body)
  })
}

const leaks = [
  /\bat .+:\d+:\d+/,
  /node_modules|\.ts\b|file:\/\//,
  /\b(select|insert into|update|delete from)\b.*\b(from|values|set|where)\b/i,
  /relation "|syntax for type|postgres|pg_|invalid byte sequence|kysely/i,
  /ENOENT|ECONN|EINVAL|TypeError|RangeError|SyntaxError|ZodError/,
]

/** Faults of an answer: our own error, no refusal, a look behind the scenes. */
export function breachesOf(name: string, answer: Answer, isRefused: boolean): string[] {
  const { status, text } = answer
  const summary = `${name} → ${status} ${text.slice(0, 200)}`
  if (status >= 500) return [summary]
  if (isRefused && status < 400) return [`not refused: ${summary}`]
  if (status < 400 || answer.headers['content-length'] === undefined) return []
  const breaches = leaks
    .filter((leak) => leak.test(text))
    .map((leak) => `${String(leak)}: ${summary}`)
  // A HEAD has no body to tell anything with.
  if (text === '' && name.startsWith('getResumableUpload')) return breaches
  const parsed = ErrorAnswer.safeParse(readJson(text))
  if (!parsed.success) return [...breaches, `no error answer: ${summary}`]
  const { message, error } = parsed.data
  if (message !== error || message.trim() === '') breaches.push(`two sentences: ${summary}`)
  return breaches
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
