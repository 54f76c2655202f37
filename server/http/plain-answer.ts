import { STATUS_CODES } from 'node:http'
import { refusalStatus } from '../../contract/refusal.ts'
import type { ErrorAnswer, RefusalCode } from '../../contract/refusal.ts'

/** An error response written to the connection itself, if no response object exists. */
export function plainAnswer(
  code: RefusalCode,
  message: string,
  headers: readonly string[] = [],
): string {
  const answer: ErrorAnswer = { message, error: message, code }
  const body = JSON.stringify(answer)
  const status = refusalStatus[code]
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    ...headers,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
}
