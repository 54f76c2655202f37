import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { correctFindings } from './correct.ts'
import { noCorrections } from './no-corrections.ts'
import type { Corrections } from './corrections.ts'
import type { Findings, FindingsOf, Media, ShotChange } from './findings.ts'

const media: Media = {
  kind: 'video',
  container: 'mov',
  duration: 40,
  duration_time: '40/1',
  frames: 1000,
  frame_rate: '25/1',
  variable_frame_rate: false,
  time_base: '1/25',
  start_timecode: null,
  drop_frame: false,
  reel: null,
  width: 16,
  height: 9,
  rotation: 0,
  pixel_aspect: null,
  video_codec: 'h264',
  audio: [],
  pages: null,
}

/** One word each second, of half a second. */
function transcript(text: string, shift = 0): FindingsOf<'transcription'> {
  const words = text.split(' ').map((word, index) => {
    const startFrame = index * 25 + shift
    return {
      text: word,
      confidence: 0.5,
      speaker: index < 3 ? 'face-1' : 'face-2',
      start_frame: startFrame,
      end_frame: startFrame + 12,
      start_time: `${startFrame}/25`,
      end_time: `${startFrame + 12}/25`,
      start: startFrame / 25,
      end: (startFrame + 12) / 25,
    }
  })
  const [first, last] = [words[0]!, words.at(-1)!]
  const all = {
    start_frame: first.start_frame,
    end_frame: last.end_frame,
    start_time: first.start_time,
    end_time: last.end_time,
    start: first.start,
    end: last.end,
    text,
    first_word: 0,
    last_word: words.length - 1,
  }
  return {
    language: 'en',
    language_confidence: 1,
    text,
    words,
    sentences: [all],
    paragraphs: [all],
    model: 'test',
    word_times: 'aligned',
  }
}

function correct(findings: Partial<Findings>, change: Partial<Corrections>) {
  return correctFindings({ media, ...findings }, { ...noCorrections, ...change })
}

const said = 'We sail to Hamburg every single day'

test('replaces a word and keeps its time', () => {
  const words = [{ start: 3, end: 3.5, from: 'Hamburg', to: 'Homburg' }]
  const { findings, unmatched } = correct({ transcription: transcript(said) }, { words })
  const word = findings.transcription?.words[3]
  assert.deepEqual([word?.text, word?.start_frame, word?.end_frame], ['Homburg', 75, 87])
  assert.equal(findings.transcription?.text, 'We sail to Homburg every single day')
  assert.equal(findings.transcription?.paragraphs[0]?.text, 'We sail to Homburg every single day')
  assert.deepEqual(unmatched, [])
})

test('shares the time of the old words where the number of words differs', () => {
  const words = [{ start: 4, end: 5.5, from: 'every single', to: 'each and every' }]
  const { transcription } = correct({ transcription: transcript(said) }, { words }).findings
  const fresh = transcription!.words.slice(4, 7)
  assert.deepEqual(
    fresh.map((word) => word.text),
    ['each', 'and', 'every'],
  )
  assert.equal(fresh[0]?.start_time, '4/1')
  assert.equal(fresh[2]?.end_frame, 137)
  assert.equal(fresh[0]?.end_time, fresh[1]?.start_time)
  assert.equal(transcription!.paragraphs[0]?.last_word, 7)
})

test('removes words that were not spoken', () => {
  const words = [{ start: 0, end: 1.5, from: 'we sail', to: null }]
  const { transcription } = correct({ transcription: transcript(said) }, { words }).findings
  assert.equal(transcription?.text, 'to Hamburg every single day')
  assert.equal(transcription?.sentences[0]?.start_frame, 50)
})

test('finds moved words again, and reports those that a later run does not have', () => {
  const words = [
    { start: 3, end: 3.5, from: 'Hamburg', to: 'Homburg' },
    { start: 5, end: 5.5, from: 'double', to: 'single' },
  ]
  const moved = correct({ transcription: transcript(said, 10) }, { words })
  assert.match(moved.findings.transcription?.text ?? '', /Homburg/)
  assert.deepEqual(moved.unmatched, [{ kind: 'word', seconds: 5, text: 'double' }])
})

test('corrects a correction: the second finds what the first wrote', () => {
  const words = [
    { start: 3, end: 3.5, from: 'Hamburg', to: 'Homburg' },
    { start: 3, end: 3.5, from: 'Homburg', to: 'Bad Homburg' },
  ]
  const { findings } = correct({ transcription: transcript(said) }, { words })
  assert.equal(findings.transcription?.text, 'We sail to Bad Homburg every single day')
})

test('splits and joins paragraphs', () => {
  const split = { at: 3, action: 'split' as const }
  const { findings } = correct({ transcription: transcript(said) }, { paragraphs: [split] })
  assert.deepEqual(
    findings.transcription?.paragraphs.map((paragraph) => paragraph.text),
    ['We sail to', 'Hamburg every single day'],
  )
  const paragraphs = [split, { at: 3, action: 'join' as const }]
  const again = correct({ transcription: transcript(said) }, { paragraphs })
  assert.equal(again.findings.transcription?.paragraphs.length, 1)
})

test('names speakers, merges two, and gives a passage to another', () => {
  const speakers = {
    names: { 'face-1': 'Anna', 'face-2': 'Anna' },
    passages: [{ start: 5, end: 7, speaker: 'Ben' }],
  }
  const { findings } = correct({ transcription: transcript(said) }, { speakers })
  assert.deepEqual(
    findings.transcription?.words.map((word) => word.speaker),
    ['Anna', 'Anna', 'Anna', 'Anna', 'Anna', 'Ben', 'Ben'],
  )
})

function shots(frames: readonly number[]): FindingsOf<'shots'> {
  const changes = frames.map((frame): ShotChange => ({
    type: 'cut',
    score: 0.9,
    start_frame: frame,
    end_frame: frame,
    start_time: `${frame}/25`,
    end_time: `${frame}/25`,
    start: frame / 25,
    end: frame / 25,
  }))
  return {
    changes,
    candidates: changes,
    threshold: 0.5,
    shots: [],
    black: [],
    freeze: [],
    flashes: [],
  }
}

test('removes, adds and moves changes, and the shots follow to the frame', () => {
  const change = {
    removed: [100, 300],
    added: [
      { start_frame: 110, end_frame: 110, type: 'cut' as const },
      { start_frame: 500, end_frame: 520, type: 'dissolve' as const },
    ],
  }
  const { findings, unmatched } = correct({ shots: shots([100, 200, 300]) }, { shots: change })
  assert.deepEqual(
    findings.shots?.changes.map(({ start_frame: start, type }) => [start, type]),
    [
      [110, 'cut'],
      [200, 'cut'],
      [500, 'dissolve'],
    ],
  )
  assert.equal(findings.shots?.changes[0]?.start_time, '22/5')
  assert.deepEqual(unmatched, [])
  const beyond = {
    removed: [7],
    added: [{ start_frame: 5000, end_frame: 5000, type: 'cut' as const }],
  }
  assert.equal(correct({ shots: shots([100]) }, { shots: beyond }).unmatched.length, 2)
})

test('never changes the findings themselves and keeps every list in order', () => {
  const range = fc.integer({ min: 0, max: 999 })
  fc.assert(
    fc.property(
      fc.uniqueArray(range, { maxLength: 12 }),
      fc.array(range, { maxLength: 5 }),
      fc.array(range, { maxLength: 5 }),
      fc.array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.lorem({ maxCount: 3 })), {
        maxLength: 5,
      }),
      (cuts, removed, frames, replaced) => {
        const original = {
          media,
          shots: shots(cuts.toSorted((a, b) => a - b)),
          transcription: transcript(said),
        }
        const before = JSON.stringify(original)
        const corrections: Corrections = {
          ...noCorrections,
          words: replaced.map(([index, to]) => ({
            start: index,
            end: index + 0.5,
            from: said.split(' ')[index]!,
            to,
          })),
          shots: {
            removed,
            added: frames.map((frame) => {
              const end = frame + (frame % 40)
              const type = end > frame ? ('dissolve' as const) : ('cut' as const)
              return { start_frame: frame, end_frame: end, type }
            }),
          },
        }
        const { findings } = correctFindings(original, corrections)
        assert.equal(JSON.stringify(original), before)
        const starts = findings.shots!.changes.map((change) => change.start_frame)
        assert.deepEqual(
          starts,
          starts.toSorted((a, b) => a - b),
        )
        for (const shot of findings.shots!.shots) {
          assert.ok(shot.end_frame > shot.start_frame, 'no shot is empty or runs backwards')
        }
        const times = findings.transcription!.words.map((word) => word.start)
        assert.deepEqual(
          times,
          times.toSorted((a, b) => a - b),
        )
        const last = findings.transcription!.paragraphs.at(-1)
        if (last) assert.equal(last.last_word, findings.transcription!.words.length - 1)
      },
    ),
  )
})
