import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourcesFor } from './fresh-root.ts'

const debian = 'ID=debian\nVERSION_CODENAME=bookworm\n'
const ubuntu = 'ID=ubuntu\nID_LIKE=debian\nVERSION_CODENAME=noble\n'

test('a suite of another distribution is refused with what to do', () => {
  assert.throws(() => sourcesFor('trixie', ubuntu), { message: /sources of Debian/ })
  assert.throws(() => sourcesFor('noble', debian), { message: /sources of Ubuntu/ })
  assert.throws(() => sourcesFor('bookworm', ''), { message: /sources of Debian/ })
})

test('a suite of the same distribution takes the sources of the machine', () => {
  assert.doesNotThrow(() => sourcesFor('trixie', debian))
  assert.doesNotThrow(() => sourcesFor('jammy', ubuntu))
  assert.doesNotThrow(() => sourcesFor('later', 'ID=ubuntu\nVERSION_CODENAME=later\n'))
})
