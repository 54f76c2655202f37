import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { clipFolder } from '../clips.testing.ts'
import { keepPrepared } from './keep-prepared.ts'
import type { Kept } from './keep-prepared.ts'

const key = { name: 'a-model', madeFrom: 'sum', options: { heads: 2 } }

function maker(text: string): { make: () => Promise<Record<string, Buffer>>; times: () => number } {
  let times = 0
  return {
    make: () => {
      times += 1
      return Promise.resolve({ step: Buffer.from(text), score: Buffer.from('score') })
    },
    times: () => times,
  }
}

/** The text of a part, wherever it lies. */
async function read(kept: Kept<Record<string, Buffer>> | null, name: string): Promise<string> {
  assert.ok(kept)
  if ('parts' in kept) return kept.parts[name]!.toString()
  return await readFile(path.join(kept.folder, name), 'utf8')
}

async function onlyHome(folder: string): Promise<string> {
  const names = await readdir(folder)
  assert.equal(names.length, 1, names.join())
  return path.join(folder, names[0]!)
}

test('prepared parts are read again byte for byte', async (t) => {
  const folder = await clipFolder(t)
  const { make, times } = maker('weights')
  const first = await keepPrepared(key, make, { folder })
  const kept = await keepPrepared(key, make, { folder })
  assert.ok(kept && 'folder' in kept, 'it is opened from where it is kept')
  for (const name of ['step', 'score'])
    assert.equal(await read(kept, name), await read(first, name))
  assert.equal(times(), 1)
})

test('a damaged, shortened or lost part is made again, and then whole', async (t) => {
  const folder = await clipFolder(t)
  for (const damage of ['weightt', 'weigh', null]) {
    const { make, times } = maker('weights')
    await keepPrepared(key, make, { folder })
    const part = path.join(await onlyHome(folder), 'step')
    if (damage === null) await rm(part)
    else await writeFile(part, damage)
    const before = times()
    assert.equal(await read(await keepPrepared(key, make, { folder }), 'step'), 'weights')
    assert.equal(times(), before + 1)
    assert.equal((await readFile(path.join(await onlyHome(folder), 'step'))).toString(), 'weights')
  }
})

test('sums are compared again when a file was touched, and after a day', async (t) => {
  const folder = await clipFolder(t)
  const { make, times } = maker('weights')
  await keepPrepared(key, make, { folder })
  await keepPrepared(key, make, { folder })
  const home = await onlyHome(folder)
  const part = path.join(home, 'step')
  // As a disk would damage it: the same length and the same time.
  const { atime, mtime } = await stat(part)
  await writeFile(part, 'weightt')
  await utimes(part, atime, mtime)
  await keepPrepared(key, make, { folder })
  assert.equal(times(), 2)
  await keepPrepared(key, make, { folder })
  const checkedFile = path.join(home, 'checked.json')
  const checked = JSON.parse(await readFile(checkedFile, 'utf8')) as { at: number; stamps: object }
  assert.deepEqual(Object.keys(checked.stamps).toSorted(), ['score', 'step'])
  await writeFile(path.join(home, 'other'), 'weightt')
  await rename(path.join(home, 'other'), part)
  const { size, mtimeMs, ctimeMs, ino } = await stat(part)
  const stamps = { ...checked.stamps, step: `${size} ${mtimeMs} ${ctimeMs} ${ino}` }
  const day = 24 * 3600 * 1000
  for (const [at, expected] of [
    [checked.at, 2],
    [Date.now() - day - 1000, 3],
  ] as const) {
    await writeFile(checkedFile, JSON.stringify({ at, stamps }))
    await keepPrepared(key, make, { folder })
    assert.equal(times(), expected)
  }
})

test('prepares other weights or options again and removes the old ones', async (t) => {
  const folder = await clipFolder(t)
  await mkdir(path.join(folder, 'another-model-1'))
  const left = path.join(folder, 'a-model-0.left')
  await mkdir(left)
  await utimes(left, 1, 1)
  await mkdir(path.join(folder, 'a-model-0.writing'))
  for (const other of [key, { ...key, madeFrom: 'another' }, { ...key, options: { heads: 3 } }]) {
    const { make, times } = maker(JSON.stringify(other))
    await keepPrepared(other, make, { folder })
    assert.equal(times(), 1)
  }
  const names = (await readdir(folder)).toSorted()
  assert.equal(names.length, 3, names.join())
  assert.equal(names[0], 'a-model-0.writing', 'another process may be writing it')
  assert.equal(names[2], 'another-model-1')
})

test('many processes that prepare at once all get it, and one copy stays', async (t) => {
  const folder = await clipFolder(t)
  const { make } = maker('weights')
  const all = await Promise.all(
    Array.from({ length: 8 }, () => keepPrepared(key, make, { folder })),
  )
  for (const kept of all) assert.equal(await read(kept, 'step'), 'weights')
  const { make: never, times } = maker('never')
  assert.equal(await read(await keepPrepared(key, never, { folder }), 'step'), 'weights')
  assert.equal(times(), 0)
  await onlyHome(folder)
})

test('where nothing can be written, and of what cannot be prepared, nothing is kept', async (t) => {
  const folder = await clipFolder(t)
  const { make } = maker('weights')
  await writeFile(path.join(folder, 'file'), '')
  const kept = await keepPrepared(key, make, { folder: path.join(folder, 'file', 'below') })
  assert.equal(await read(kept, 'step'), 'weights')
  assert.equal(await keepPrepared(key, () => Promise.resolve(null), { folder }), null)
  assert.deepEqual(await readdir(folder), ['file'])
})

test('the next process gets what was improved; whoever cannot keep it does not improve', async (t) => {
  const folder = await clipFolder(t)
  const { make } = maker('weights')
  let times = 0
  const improve = async (parts: Record<string, Buffer>, work: string) => {
    times += 1
    await writeFile(path.join(work, 'step'), `better ${parts['step']!.toString()}`)
    await writeFile(path.join(work, 'score'), parts['score']!)
  }
  const first = await keepPrepared(key, make, { folder, improve })
  assert.equal(await read(first, 'step'), 'weights')
  const next = await keepPrepared(key, make, { folder, improve })
  assert.equal(await read(next, 'step'), 'better weights')
  assert.equal(await read(next, 'score'), 'score')
  assert.equal(times, 1)
  await writeFile(path.join(folder, 'file'), '')
  const below = path.join(folder, 'file', 'below')
  const alone = await keepPrepared(key, make, { folder: below, improve })
  assert.equal(await read(alone, 'step'), 'weights')
  assert.equal(times, 1)
})
