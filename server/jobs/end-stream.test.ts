import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { endStream } from './events.ts'

/** More than the buffers of both sides take. */
const muchBytes = 64 * 1024 ** 2

test('a stream that ends while its reader takes nothing is let go', async () => {
  const opened = Promise.withResolvers<ServerResponse>()
  const server = createServer((_, response) => opened.resolve(response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  client.on('error', () => undefined)
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  const response = await opened.promise
  response.write(Buffer.alloc(muchBytes))
  const closed = once(response, 'close')
  endStream(response, 50)
  await closed
  assert.ok(!response.writableFinished)
  client.destroy()
  server.close()
})
