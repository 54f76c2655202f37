/**
 * Passwords of links. A right one is answered with a pass: its end and a signature made with the
 * password's hash, so that nothing is stored and a pass is good for its one link only.
 */
import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Buffer, number, Buffer>(scrypt)
const passMs = 12 * 3_600_000

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password.normalize('NFKC'), salt, 32)
  return `${salt.toString('base64url')}.${key.toString('base64url')}`
}

export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [salt = '', key = ''] = hash.split('.')
  const tried = await derive(password.normalize('NFKC'), Buffer.from(salt, 'base64url'), 32)
  return timingSafeEqual(tried, Buffer.from(key, 'base64url'))
}

export function makePass(share: { id: string; hash: string }, now: Date) {
  const expiresAt = new Date(now.getTime() + passMs)
  const end = String(expiresAt.getTime())
  return { pass: `${end}.${sign(share, end)}`, expiresAt }
}

export function isPass(pass: string, share: { id: string; hash: string }, now: Date): boolean {
  const [end = '', signature = ''] = pass.split('.')
  const [expected, presented] = [Buffer.from(sign(share, end)), Buffer.from(signature)]
  if (expected.length !== presented.length || !timingSafeEqual(expected, presented)) return false
  return now.getTime() < Number(end)
}

/** Who entered the password, without the address of it. */
export function networkHash(network: string, { id, hash }: { id: string; hash: string }): Buffer {
  return createHmac('sha256', hash).update(`${id} ${network}`).digest()
}

function sign({ id, hash }: { id: string; hash: string }, end: string): string {
  return createHmac('sha256', hash).update(`${id} ${end}`).digest('base64url')
}
