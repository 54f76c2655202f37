import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { clipFolder } from '../clips.testing.ts'
import { keepPrepared } from './keep-prepared.ts'

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

async function onlyHome(folder: string): Promise<string> {
  const names = await readdir(folder)
  assert.equal(names.length, 1, names.join())
  return path.join(folder, names[0]!)
}

test('what was prepared once is read by the next, byte for byte', async (t) => {
  const folder = await clipFolder(t)
  const { make, times } = maker('weights')
  const made = await keepPrepared(key, make, { folder })
  assert.deepEqual(await keepPrepared(key, make, { folder }), made)
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
    assert.equal((await keepPrepared(key, make, { folder }))?.['step']?.toString(), 'weights')
    assert.equal(times(), before + 1)
    assert.equal((await readFile(path.join(await onlyHome(folder), 'step'))).toString(), 'weights')
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
  assert.ok(all.every((parts) => parts?.['step']?.toString() === 'weights'))
  const { make: never, times } = maker('never')
  assert.equal((await keepPrepared(key, never, { folder }))?.['step']?.toString(), 'weights')
  assert.equal(times(), 0)
  await onlyHome(folder)
})

test('where nothing can be written, and of what cannot be prepared, nothing is kept', async (t) => {
  const folder = await clipFolder(t)
  const { make } = maker('weights')
  await writeFile(path.join(folder, 'file'), '')
  const parts = await keepPrepared(key, make, { folder: path.join(folder, 'file', 'below') })
  assert.equal(parts?.['step']?.toString(), 'weights')
  assert.equal(await keepPrepared(key, () => Promise.resolve(null), { folder }), null)
  assert.deepEqual(await readdir(folder), ['file'])
})

test('the next process gets what was improved; whoever cannot keep it does not improve', async (t) => {
  const folder = await clipFolder(t)
  const { make } = maker('weights')
  let times = 0
  const improve = async (parts: Record<string, Buffer>, work: string) => {
    times += 1
    await writeFile(path.join(work, 'passing'), 'x')
    await rm(path.join(work, 'passing'))
    return { ...parts, step: Buffer.from('better weights') }
  }
  const first = await keepPrepared(key, make, { folder, improve })
  assert.equal(first?.['step']?.toString(), 'weights')
  const next = await keepPrepared(key, make, { folder, improve })
  assert.equal(next?.['step']?.toString(), 'better weights')
  assert.equal(next['score']?.toString(), 'score')
  assert.equal(times, 1)
  await writeFile(path.join(folder, 'file'), '')
  const below = path.join(folder, 'file', 'below')
  const alone = await keepPrepared(key, make, { folder: below, improve })
  assert.equal(alone?.['step']?.toString(), 'weights')
  assert.equal(times, 1)
})
