import assert from 'node:assert/strict'
import test from 'node:test'
import type { Findings } from './findings.ts'
import { markedSpeaker, nameSpeakers, speakerName, surely } from './speakers.ts'

const sentences = [
  { first: 0, last: 3 },
  { first: 4, last: 5 },
]

test('a sentence is said by the face that is seen talking through most of it', () => {
  // The second word is spoken over a cutaway.
  const spans = [talks('face-1', 0, 1), talks('face-1', 2, 4), talks('face-2', 4, 6)]
  assert.deepEqual(speakers(spans), ['face-1', 'face-1', 'face-1', 'face-1', 'face-2', 'face-2'])
})

test('a voice that nobody is seen to have stays without a name', () => {
  assert.deepEqual(speakers([talks('face-1', 0, 1.9)]), Array(6).fill(null))
  assert.deepEqual(speakers([talks(null, 0, 6)]), Array(6).fill(null))
})

test('two mouths that move alike name nobody', () => {
  const spans = [talks('face-1', 0, 4), talks('face-2', 0, 4)]
  assert.deepEqual(speakers(spans), Array(6).fill(null))
})

test('findings without a picture or without words stay as they are', () => {
  const heard = { transcription: transcript() }
  assert.equal(nameSpeakers(heard), heard)
  const seen = { talking: talkingOf([talks('face-1', 0, 6)]) }
  assert.equal(nameSpeakers(seen), seen)
})

test('a face is called a person', () => {
  assert.equal(speakerName('face-12'), 'Person 12')
  assert.equal(speakerName('Ann'), 'Ann')
})

function speakers(spans: Talking['talking']): (string | null)[] {
  const named = nameSpeakers({ transcription: transcript(), talking: talkingOf(spans) })
  return named.transcription.words.map((word) => word.speaker)
}

type Talking = NonNullable<Findings['talking']>

function talks(face: string | null, start: number, end: number) {
  return { ...span(start, end), face, score: 1 }
}

/** Six words of a second each, four and two a sentence. */
function transcript(): NonNullable<Findings['transcription']> {
  const words = ['We', 'went', 'out', 'early.', 'Who', 'knew?'].map((text, index) => ({
    ...span(index, index + 1),
    text,
    confidence: 1,
    speaker: null,
  }))
  const passages = sentences.map(({ first, last }) => ({
    ...span(first, last + 1),
    text: '',
    first_word: first,
    last_word: last,
  }))
  return {
    language: 'en',
    language_confidence: 1,
    text: '',
    words,
    sentences: passages,
    paragraphs: [],
    model: 'test',
    word_times: 'aligned',
  }
}

function talkingOf(talking: Talking['talking']): Talking {
  return { speech: [], silence: [], talking, lip_flap: [], voice_only: [], faces: [] }
}

function span(start: number, end: number) {
  const frames = { start_frame: start * 25, end_frame: end * 25 }
  return { ...frames, start_time: `${start}/1`, end_time: `${end}/1`, start, end }
}

test('a voice that is heard while a face is seen talking is that face’s elsewhere too', () => {
  const heard = transcript()
  heard.words = heard.words.map((word) => ({
    ...word,
    speaker: 'voice-1',
    speaker_confidence: 0.9,
  }))
  const named = nameSpeakers({
    transcription: heard,
    talking: talkingOf([talks('face-1', 0, 4)]),
  })
  assert.deepEqual(
    named.transcription.words.map((word) => `${word.speaker} ${word.speaker_confidence}`),
    [...Array<string>(4).fill('face-1 1'), ...Array<string>(2).fill('face-1 0.9')],
  )
  const short = nameSpeakers({
    transcription: {
      ...heard,
      words: heard.words.map((word, at) => ({ ...word, speaker: at < 4 ? 'voice-2' : 'voice-1' })),
    },
    talking: talkingOf([talks('face-1', 0, 4)]),
  })
  assert.equal(short.transcription.words[5]?.speaker, 'voice-1', 'another voice stays itself')
})

test('a speaker that is not sure is marked', () => {
  const word = { speaker: 'voice-2', speaker_confidence: 0.5 }
  assert.equal(markedSpeaker(word), 'Voice 2?')
  assert.equal(markedSpeaker({ ...word, speaker_confidence: 0.9 }), 'Voice 2')
  assert.equal(markedSpeaker({ speaker: 'face-1' }), 'Person 1', 'a face is seen')
  assert.equal(markedSpeaker(surely(word, 'Ann')), 'Ann', 'a name by hand is no guess')
  assert.equal(markedSpeaker({ speaker: null }), null)
})
