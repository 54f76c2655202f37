import { hash, randomBytes } from 'node:crypto'

/** 256 random bits; only the hash is ever stored. */
export function newToken(): { token: string; sha256: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, sha256: hashToken(token) }
}

export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
