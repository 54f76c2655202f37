import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './config.ts'
import { decideIsolation, remedyFor } from './isolation.ts'

const trial = {
  DATABASE_URL: 'postgres://localhost/nothing',
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  STRIPE_API_URL: 'http://localhost:3001',
}

test('unlocked tools run in a local trial, or where the operator accepts the risk', () => {
  const cases: [string, Record<string, string>, boolean][] = [
    ['local trial', {}, true],
    ['trial on 127.0.0.1', { HOST: '127.0.0.1' }, true],
    ['trial on ::1', { HOST: '::1' }, true],
    ['every address', { HOST: '0.0.0.0' }, false],
    ['every address of IPv6', { HOST: '::' }, false],
    ['an address of the network', { HOST: '192.168.1.5' }, false],
    ['a name that begins like loopback', { HOST: '127.0.0.1.example.com' }, false],
    ['real payments', { STRIPE_API_URL: 'https://api.stripe.com' }, false],
    ['real sign-in', { GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'secret' }, false],
    ['accepted', { HOST: '0.0.0.0', MEDIA_SANDBOX: 'off' }, true],
  ]
  for (const [name, environment, mayAnalyse] of cases) {
    const config = readConfig({ ...trial, ...environment })
    assert.equal(decideIsolation(config, 'unlocked').mayAnalyse, mayAnalyse, name)
    for (const state of ['locked', 'reduced'] as const) {
      assert.equal(decideIsolation(config, state).mayAnalyse, true, `${name}, ${state}`)
    }
  }
})

test('the log names what keeps media tools from being isolated', () => {
  assert.match(remedyFor('bubblewrap'), /Install bubblewrap/)
  assert.match(remedyFor('ubuntu'), /sysctl kernel\.apparmor_restrict_unprivileged_userns=0/)
  assert.match(remedyFor('namespaces'), /^Allow unprivileged user namespaces, or in a container/)
  assert.doesNotMatch(remedyFor('processor'), /namespaces|bubblewrap/)
})
