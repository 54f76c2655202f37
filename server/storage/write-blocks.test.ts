import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { writeBlocks } from './write-blocks.ts'

test('chunks of any size become the file, and what looks on sees each byte once', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cutindex-blocks-'))
  t.after(() => rm(folder, { recursive: true }))
  const bytes = randomBytes(3 * 1024 ** 2 + 7)
  const sizes = [1, 65_536, 700_000, 524_288, 0, 1_200_000]
  async function* chunks() {
    for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
      const size = sizes[turn % sizes.length]!
      yield Buffer.from(bytes.subarray(at, at + size))
      at += size
    }
  }
  const file = await open(join(folder, 'file'), 'w')
  const seen: Buffer[] = []
  let announced = 0
  await writeBlocks(chunks(), file, {
    beforeBlock: async (size) => void (announced += size),
    besideBlock: (block) => seen.push(Buffer.from(block)),
  })
  await file.close()
  assert.ok((await readFile(join(folder, 'file'))).equals(bytes))
  assert.ok(Buffer.concat(seen).equals(bytes))
  assert.equal(announced, bytes.length)
})

test('a chunk that is not wanted and a stream that breaks are thrown on', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cutindex-blocks-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = await open(join(folder, 'file'), 'w')
  t.after(() => file.close())
  async function* broken() {
    yield Buffer.alloc(600_000)
    await Promise.resolve()
    throw new Error('cut')
  }
  await assert.rejects(writeBlocks(broken(), file), /cut/)
  const refuse = (): void => {
    throw new Error('too large')
  }
  await assert.rejects(writeBlocks(broken(), file, { onChunk: refuse }), /too large/)
})
