/**
 * A token bucket for each account and each address, in this process's memory: N processes allow N
 * times the rate, which protects a process without a shared counter on every request.
 */
import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Refusal } from '../ground/refusal.ts'

interface Bucket {
  tokens: number
  filledAtMs: number
}

export interface RateLimiter {
  /** Takes one token of this caller, or refuses with the seconds to wait. */
  take(caller: string, nowMs: number): void
  /** Returns a token that was taken for a request that turned out not to count. */
  giveBack(caller: string): void
}

const maxBuckets = 50_000

export function createRateLimiter(rate: { perSecond: number; burst: number }): RateLimiter {
  const buckets = new Map<string, Bucket>()
  return {
    take(caller, nowMs) {
      const bucket = buckets.get(caller) ?? { tokens: rate.burst, filledAtMs: nowMs }
      const gained = (Math.max(0, nowMs - bucket.filledAtMs) / 1000) * rate.perSecond
      bucket.tokens = Math.min(rate.burst, bucket.tokens + gained)
      bucket.filledAtMs = nowMs
      // Re-inserting keeps the map in order of use, so the first key is the one to forget.
      buckets.delete(caller)
      buckets.set(caller, bucket)
      if (buckets.size > maxBuckets) buckets.delete(buckets.keys().next().value ?? '')
      if (bucket.tokens < 1) {
        const retryAfterSeconds = Math.ceil((1 - bucket.tokens) / rate.perSecond)
        throw new Refusal(
          'rate_limited',
          'Too many requests. Please wait a moment and try again.',
          {
            retryAfterSeconds,
          },
        )
      }
      bucket.tokens -= 1
    },
    giveBack(caller) {
      const bucket = buckets.get(caller)
      if (bucket) bucket.tokens += 1
    },
  }
}

/**
 * Groups addresses by sender: an IPv6 connection has a whole /64 to send from, so that counting its
 * single addresses would limit nobody.
 */
export function networkOf(address: string): string {
  if (isIPv4(address) || !ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
