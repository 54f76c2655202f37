import { createHash, randomInt, timingSafeEqual } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `createId('cus_', 14)` gives an id of the provider's look. */
export function createId(prefix: string, length: number): string {
  let id = prefix
  for (let index = 0; index < length; index++) id += alphabet[randomInt(alphabet.length)]
  return id
}

export function sha256(text: string, encoding: 'hex' | 'base64url' = 'hex'): string {
  return createHash('sha256').update(text).digest(encoding)
}

/** Compares secrets in constant time. */
export function isSame(left: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(left)), Buffer.from(sha256(right)))
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
