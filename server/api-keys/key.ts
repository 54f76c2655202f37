/**
 * The form of a key: `ci_live_` or `ci_test_`, 30 random base62 characters (178 bits), 6 characters
 * of checksum. The checksum lets a mistyped or made-up key be refused without asking the database.
 */
import { hash, randomInt } from 'node:crypto'
import { apiKeyPrefix, testKeyPrefix } from '../../domain/money/catalogue.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 30
const checksumLength = 6
const prefixes = { live: apiKeyPrefix, test: testKeyPrefix }
const form = new RegExp(
  `^(?:${apiKeyPrefix}|${testKeyPrefix})([0-9A-Za-z]{${randomLength}})([0-9A-Za-z]{6})$`,
)

export function newApiKey(mode: 'live' | 'test'): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(62)]).join('')
  return `${prefixes[mode]}${random}${checksum(random)}`
}

export function isWellFormedApiKey(key: string): boolean {
  const match = form.exec(key)
  return match?.[1] !== undefined && checksum(match[1]) === match[2]
}

export function hashApiKey(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

function checksum(random: string): string {
  let value = hash('sha256', random, 'buffer').readUIntBE(0, 6)
  let text = ''
  for (let i = 0; i < checksumLength; i++) {
    text += alphabet[value % 62]
    value = Math.floor(value / 62)
  }
  return text
}
