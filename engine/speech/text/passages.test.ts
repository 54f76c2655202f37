import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { clipFolder, makeClip } from '../../clips.testing.ts'
import { findFillers, findHesitations } from './fillers.ts'
import { groupParagraphs, passageText, splitSentences } from './passages.ts'

const run = promisify(execFile)

/** Words of 0.3 s, 0.1 s apart; "|" is a pause of 2.5 s. */
function say(text: string) {
  let at = 0
  return text.split(' ').flatMap((word) => {
    if (word === '|') {
      at += 2.5
      return []
    }
    const start = at
    at += 0.4
    return [{ text: word, start, end: start + 0.3 }]
  })
}

test('sentences end at full stops and long pauses, not after abbreviations', () => {
  const words = say('Mr. Hall left. Did he? He did | yes he')
  assert.deepEqual(
    splitSentences(words).map((passage) => passageText(words, passage, 'en')),
    ['Mr. Hall left.', 'Did he?', 'He did', 'yes he'],
  )
})

test('a long pause begins a paragraph', () => {
  const words = say('One. Two. | Three. Four.')
  assert.deepEqual(
    groupParagraphs(words, splitSentences(words)).map((passage) =>
      passageText(words, passage, 'en'),
    ),
    ['One. Two.', 'Three. Four.'],
  )
})

test('fillers are found, and the same words in a meaning are not', () => {
  const fillers = findFillers(say('We, um, went, you know, home. You know that I mean it.'))
  assert.deepEqual(
    fillers.map((passage) => passage.text),
    ['um', 'you know'],
  )
})

test('words that look like fillers and are none stay', () => {
  const said = [
    'He moved to the ER. Then he left.',
    'It is a 35 mm lens.',
    'Left, right, left, right.',
    'Is he well? Well. He is.',
    'It failed. So, we went home.',
  ]
  for (const text of said) assert.deepEqual(findFillers(say(text)), [], text)
  assert.deepEqual(
    findFillers(say('It was, like, huge, so, well, we left.')).map((passage) => passage.text),
    ['like', 'so', 'well'],
  )
})

test('a held vowel between two words is a hesitation, other words between them are not', async (t) => {
  const folder = await clipFolder(t)
  const words = [
    { text: 'so', start: 0, end: 0.5 },
    { text: 'then', start: 1.5, end: 2 },
  ]
  const voiced = new Float32Array(63).fill(0.95)
  const voice = path.join(folder, 'voice.wav')
  await run('espeak-ng', ['-v', 'en-us', '-s', '100', '-w', voice, 'we will meet again'])
  const between = async (source: string, vad: Float32Array) => {
    const cut = '-af adelay=500,apad=whole_dur=2 -t 2 -ac 1 -ar 16000 -f s16le'
    const audioFile = await makeClip(folder, `${source} ${cut} a.s16`)
    return (await findHesitations(words, { vad, audioFile })).map((passage) => passage.text)
  }
  const wave = [1, 2, 3, 4, 5].map((part) => `sin(${part}*2*PI*120*t)/${part * 5}`).join('+')
  const vowel = `-f lavfi -i aevalsrc='${wave}':d=1.2`
  assert.deepEqual(await between(vowel, voiced), ['(hesitation)'])
  assert.deepEqual(await between(vowel, new Float32Array(63)), [])
  // The recogniser may have missed these, or timed them wrongly.
  assert.deepEqual(await between(`-i ${voice}`, voiced), [])
})
