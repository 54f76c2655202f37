import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileUrl, mediaPath, oneLine } from './names.ts'

function urlOf(name: string, path?: string): string {
  return fileUrl(mediaPath(name, path), '', ':')
}

test('a name on one line keeps its spaces, and nothing that breaks a line', () => {
  assert.equal(oneLine('Take  01.mov'), 'Take  01.mov')
  assert.equal(oneLine(' a\t\r\n b \u0000 c\u2028 '), 'a b c')
})

test('a path keeps both of two spaces', () => {
  const url = 'file:///Volumes/Rushes%20%20A/Take%20%2001.mov'
  assert.equal(urlOf('Take  01.mov', '/Volumes/Rushes  A/'), url)
  assert.equal(urlOf('x', '/Volumes/Rushes  A/Take  01.mov'), url)
})

test('a file URL is decoded before it is encoded, and kept as typed where it is none', () => {
  const url = 'file:///Volumes/Rushes%20A/Take.mov'
  for (const path of [
    'file:///Volumes/Rushes%20A/',
    'file://localhost/Volumes/Rushes%20A/Take.mov',
    'file:///Volumes/Rushes A/',
    '/Volumes/Rushes A/',
  ]) {
    assert.equal(urlOf('Take.mov', path), url, path)
  }
  assert.equal(urlOf('Take.mov', 'file:///C%3a/Rushes/'), 'file:///C:/Rushes/Take.mov')
  assert.equal(urlOf('Take.mov', 'file:///100% A/'), 'file:///100%25%20A/Take.mov')
  assert.equal(urlOf('Take.mov', '/100%20A/'), 'file:///100%2520A/Take.mov')
})
