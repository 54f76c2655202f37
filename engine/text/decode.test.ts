/** The decoder on likelihoods as the recogniser gives them, without the recogniser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeLine } from './decode.ts'

const characters = ['', ...'TOMASomasáàó中'.split(''), ' ']

interface Image {
  /** Letters with a mark above them, by their place in the word. */
  marked?: number[]
  /** Letters over which the picture behind the line is as dark as ink, from the border on. */
  shaded?: number[]
  /** Small letters that stand as high as capitals. */
  tall?: number[]
}

/**
 * Reads one letter a step with "no character" between them; `also` adds likelihoods to a letter's
 * step. In the image each letter is a block as high as its case.
 */
function read(
  word: string,
  also: Record<number, Record<string, number>> = {},
  { marked = [], shaded = [], tall = [] }: Image = {},
): string {
  const steps = word.length * 2
  const likelihoods = new Float32Array(steps * characters.length)
  for (let step = 0; step < steps; step++) {
    const letter = step % 2 === 0 ? word[step / 2]! : ''
    likelihoods[step * characters.length + characters.indexOf(letter)] = 0.97
    for (const [text, likelihood] of Object.entries(also[step] ?? {})) {
      likelihoods[step * characters.length + characters.indexOf(text)] = likelihood
    }
  }
  const width = steps * 8
  const pixels = new Uint8Array(width * 48).fill(200)
  const draw = (at: number, top: number, bottom: number): void => {
    for (let y = top; y < bottom; y++) pixels.fill(20, y * width + at * 16, y * width + at * 16 + 8)
  }
  for (const [at, letter] of word.split('').entries()) {
    const isHigh = /[A-Z]/.test(letter) || tall.includes(at)
    const top = isHigh ? 14 : 24
    if (letter !== ' ') draw(at, top, 38)
    if (marked.includes(at)) draw(at, top - 10, top - 4)
    if (shaded.includes(at)) draw(at, 0, top - 4)
  }
  const line = { pixels, width, height: 48 }
  return decodeLine(likelihoods, { steps, characters, line, pixelsPerStep: 8 }).text
}

test('an accent of low likelihood is taken where ink stands above the letter', () => {
  assert.equal(read('Tomas', { 6: { á: 0.001, à: 0.0008 } }, { marked: [3] }), 'Tomás')
  assert.equal(
    read('Tomas', { 7: { á: 0.001 } }, { marked: [3] }),
    'Tomás',
    'beside the peak of its letter',
  )
  assert.equal(
    read('TOMAS', { 6: { á: 0.001 } }, { marked: [3] }),
    'TOMÁS',
    'a capital that the model lacks',
  )
})

test('a first letter that stands as high as the capitals is one', () => {
  assert.equal(read('TAM oamam', {}, { tall: [4] }), 'TAM Oamam')
  assert.equal(read('TAM oamam'), 'TAM oamam')
})

test('plain letters stay plain', () => {
  assert.equal(read('Tomas', { 6: { á: 0.002 } }), 'Tomas', 'no ink above the letter')
  assert.equal(read('Tomas', { 6: { á: 0.002 } }, { shaded: [3] }), 'Tomas', 'a dark background')
  assert.equal(read('Tomas', {}, { marked: [3] }), 'Tomas', 'ink without any likelihood')
  assert.equal(
    read('Tomas', { 6: { ó: 0.01 } }, { marked: [3] }),
    'Tomas',
    'an accent of another letter',
  )
})
