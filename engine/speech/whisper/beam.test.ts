import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchBeam } from './beam.ts'

const end = 0
const words = ['', 'the', 'a', 'cat', 'dog', 'sat']

/** A model that knows a few sentences: what may follow what was said, with its probability. */
const table: Record<string, Record<string, number>> = {
  '': { the: 0.6, a: 0.4 },
  the: { cat: 0.4, dog: 0.35, sat: 0.25 },
  a: { dog: 0.9, cat: 0.1 },
  'the cat': { '': 1 },
  'the dog': { '': 1 },
  'the sat': { '': 1 },
  'a dog': { '': 0.9, sat: 0.1 },
  'a cat': { '': 1 },
  'a dog sat': { '': 1 },
}

function heardAfter(said: string) {
  const logits = Float32Array.from(words, (word) => Math.log(table[said]?.[word] ?? 0))
  return { logits, state: said, trace: said }
}

function search(width: number, forbidden: string[] = []) {
  return searchBeam(heardAfter(''), {
    width,
    maxTokens: 10,
    endToken: end,
    forbid: (logits) => {
      for (const word of forbidden) logits[words.indexOf(word)] = -Infinity
    },
    next: (steps) =>
      Promise.resolve(
        steps.map(({ state, token }) => heardAfter(`${state} ${words[token]}`.trim())),
      ),
  })
}

const text = (sentence: { tokens: { id: number }[] }) =>
  sentence.tokens.map(({ id }) => words[id]).join(' ')

test('one hypothesis takes the best next token, two find the better sentence', async () => {
  assert.equal(text(await search(1)), 'the cat')
  assert.equal(text(await search(2)), 'a dog')
})

test('each token knows its probability and what the model said before it', async () => {
  const { tokens, last, meanLogProbability, looped } = await search(2)
  assert.deepEqual(
    tokens.map(({ before, logProbability }) => [before, Math.exp(logProbability).toFixed(3)]),
    [
      ['', '0.400'],
      ['a', '0.900'],
    ],
  )
  assert.equal(last, 'a dog')
  assert.ok(Math.abs(meanLogProbability - Math.log(0.4 * 0.9) / 2) < 1e-6)
  assert.equal(looped, false)
})

test('a forbidden token is not said', async () => {
  assert.equal(text(await search(2, ['a'])), 'the cat')
})

test('a leader that repeats itself is stopped as a loop', async () => {
  const heard = { logits: Float32Array.of(-9, 0, -3), state: null, trace: null }
  const sentence = await searchBeam(heard, {
    width: 2,
    maxTokens: 200,
    endToken: end,
    forbid: () => {},
    next: (steps) => Promise.resolve(steps.map(() => heard)),
  })
  assert.equal(sentence.looped, true)
  assert.ok(sentence.tokens.length < 20)
})

test('a model that never ends is cut at the limit', async () => {
  const sentence = await searchBeam(
    { logits: Float32Array.of(-5, 0, -6, -6), state: 1, trace: null },
    {
      width: 2,
      maxTokens: 12,
      endToken: end,
      forbid: () => {},
      next: (steps) =>
        Promise.resolve(
          steps.map(({ state }) => {
            const logits = new Float32Array(40).fill(-20)
            logits[state + 1] = 0
            return { logits, state: state + 1, trace: null }
          }),
        ),
    },
  )
  assert.equal(sentence.tokens.length, 12)
  assert.equal(sentence.looped, false)
})

test('a chant goes on to its end where there is time for it', async () => {
  // Six times the same three tokens, then another one and the end.
  const said = [...Array.from({ length: 6 }, () => [1, 2, 3]).flat(), 4, end]
  const heardAt = (at: number) => {
    const logits = Float32Array.of(-30, -9, -9, -9, -9)
    logits[said[at] ?? end] = 0
    return { logits, state: at, trace: null }
  }
  const chant = (maxLoopedTokens: number) =>
    searchBeam(heardAt(0), {
      ...{ width: 2, maxTokens: 40, maxLoopedTokens, endToken: end, forbid: () => {} },
      next: (steps) => Promise.resolve(steps.map(({ state }) => heardAt(state + 1))),
    })
  const whole = await chant(30)
  assert.deepEqual(
    whole.tokens.map(({ id }) => id),
    said.slice(0, -1),
  )
  assert.deepEqual([whole.looped, whole.ended], [true, true])
  const cut = await chant(14)
  assert.deepEqual([cut.tokens.length, cut.looped, cut.ended], [14, true, false])
})
