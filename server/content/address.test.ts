import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPublicAddress } from '../ground/allowed-address.ts'
import { normaliseAddress } from './address.ts'

const rules = { fetchAllowLoopback: false }

test('two spellings of one address are one', () => {
  const same = [
    'HTTPS://Media.Example.COM:443/a/../b.mov#t=10',
    'https://media.example.com/b.mov',
    ' https://media.example.com./b.mov ',
  ]
  const urls = same.map((text) => normaliseAddress(rules, text).url)
  assert.deepEqual(new Set(urls), new Set(['https://media.example.com/b.mov']))
  assert.notEqual(
    normaliseAddress(rules, 'https://a.example/?v=1').url,
    normaliseAddress(rules, 'https://a.example/?v=2').url,
  )
})

test('every form of a YouTube address is the one video', () => {
  const forms = [
    'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=42s',
    'https://youtu.be/dQw4w9WgXcQ?si=abc',
    'http://m.youtube.com/watch?app=desktop&v=dQw4w9WgXcQ',
    'https://youtube.com/shorts/dQw4w9WgXcQ',
    'https://www.youtube.com/embed/dQw4w9WgXcQ',
    'https://music.youtube.com/watch?v=dQw4w9WgXcQ',
  ]
  for (const form of forms) {
    const { kind, url } = normaliseAddress(rules, form)
    assert.equal(kind, 'youtube')
    assert.equal(url, 'https://www.youtube.com/watch?v=dQw4w9WgXcQ')
  }
  assert.equal(normaliseAddress(rules, 'https://notyoutube.com/watch?v=dQw4w9WgXcQ').kind, 'url')
  assert.equal(normaliseAddress(rules, 'https://youtube.com.evil.example/').kind, 'url')
})

test('an address that its text alone forbids is refused with a sentence', () => {
  const wrong = [
    'nothing',
    'ftp://example.com/a',
    'javascript:alert(1)',
    'http://user:pass@example.com/',
    'http://example.com:8080/',
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://localhost/',
    'http://2130706433/',
    `http://example.com/${'a'.repeat(2000)}`,
  ]
  for (const text of wrong) {
    assert.throws(() => normaliseAddress(rules, text), { code: 'invalid' }, text)
  }
})

test('public addresses are public, the others are not', () => {
  for (const address of [
    '8.8.8.8',
    '93.184.216.34',
    '2606:4700::1111',
    '3ffe::1',
    '::ffff:8.8.8.8',
  ]) {
    assert.ok(isPublicAddress(address), address)
  }
  const others = ['10.1.2.3', '::1', '::ffff:10.0.0.1', '64:ff9b::a00:1', 'fec0::1', 'no address']
  // IPv6 that nobody has: only 2000::/3 is given out.
  others.push('1::1', '100:0:0:1::1', '1fff::1', '4000::1', '5f00::1', '8000::1', 'e000::1')
  for (const address of others) assert.ok(!isPublicAddress(address), address)
})

test('metadata services and platform addresses of clouds are not public', () => {
  const platforms = [
    // Azure: metadata and wire server.
    '169.254.169.254',
    '168.63.129.16',
    '::ffff:168.63.129.16',
    '64:ff9b::a83f:8110',
    // Amazon: metadata, DNS, time, container credentials.
    'fd00:ec2::254',
    'fd00:ec2::253',
    '169.254.170.2',
    '169.254.170.23',
    // Google, Alibaba, Oracle, Tencent, IBM.
    'fd20:ce::254',
    '199.36.153.4',
    '199.36.153.11',
    '100.100.100.200',
    '192.0.0.192',
    '169.254.0.23',
    '161.26.0.10',
    '166.9.1.1',
  ]
  for (const address of platforms) {
    assert.ok(!isPublicAddress(address), address)
    const host = address.includes(':') ? `[${address}]` : address
    assert.throws(() => normaliseAddress(rules, `http://${host}/latest/meta-data/`), {
      code: 'invalid',
    })
  }
  // Neighbours of single addresses stay public.
  for (const address of ['168.63.129.17', '199.36.153.3', '166.12.0.1']) {
    assert.ok(isPublicAddress(address), address)
  }
})
