/** The peer of the upload figure: `node:http`, a file that is synced to the disk, a sha256. */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

if (import.meta.main) {
  const [port = '0', path = ''] = process.argv.slice(2)
  const server = createServer((request, response) => void receive(request, response, path))
  server.listen(Number(port), '127.0.0.1', () => console.log('ready'))
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const hash = createHash('sha256')
  const hashed = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  await pipeline(request, hashed, createWriteStream(path, { flush: true }))
  await rm(path)
  response.end(hash.digest('hex'))
}
