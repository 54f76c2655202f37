import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiAddress } from './api-address.ts'

test('the API follows the page’s host: local, dev, production, and dev for any other (§7)', () => {
  const at = (hostname: string): string =>
    apiAddress({ hostname, origin: `https://${hostname}`, sameOrigin: false })
  assert.equal(at('localhost'), 'http://localhost:3000')
  assert.equal(at('127.0.0.1'), 'http://127.0.0.1:3000')
  assert.equal(at('dev.cutindex.com'), 'https://api.dev.cutindex.com')
  assert.equal(at('cutindex.com'), 'https://api.cutindex.com')
  assert.equal(at('somewhere.example'), 'https://api.dev.cutindex.com')
})

test('a page of this project’s own server asks its own origin', () => {
  const page = { hostname: 'video.example', origin: 'https://video.example', sameOrigin: true }
  assert.equal(apiAddress(page), 'https://video.example')
})
