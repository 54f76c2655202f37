import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import webvtt from 'webvtt-parser'
import { ExportOptions } from '../../../contract/footage/export-options.ts'
import { standardRate } from '../../../test/export-parsers/arbitrary.ts'
import { makeFindings } from '../../../test/export-parsers/findings.ts'
import type { MadeFindings } from '../../../test/export-parsers/findings.ts'
import { isWholeRun } from '../../../test/support/slow.ts'
import { exportFile } from '../../export.ts'
import { exportText } from '../../../test/export-parsers/export.ts'

interface Caption {
  start: number
  end: number
  lines: string[]
}

test('captions keep every word in order, fit their lines and never overlap', () => {
  fc.assert(
    fc.property(spoken(), standardRate, ({ words, frames }, { rate }) => {
      const captions = readSrt(exportText('srt', { words, frames, rate }))
      const said = captions.flatMap((caption) => caption.lines).join(' ')
      assert.equal(said, words.map((word) => word.text).join(' '))
      captions.forEach((caption, index) => {
        assert.ok(caption.lines.length <= 2)
        for (const line of caption.lines) assert.ok(line.length <= 42, line)
        assert.ok(caption.end > caption.start)
        const next = captions[index + 1]
        if (next) assert.ok(next.start >= caption.end)
      })
    }),
    { numRuns: isWholeRun ? 150 : 50 },
  )
})

test('a caption starts on the frame of its first word at every rate', () => {
  fc.assert(
    fc.property(spoken(), standardRate, ({ words, frames }, { rate }) => {
      const [num = 1, den = 1] = rate.split('/').map(Number)
      const starts = new Set(words.map((word) => word.start))
      for (const caption of readSrt(exportText('srt', { words, frames, rate }))) {
        const frame = Math.round((caption.start * num) / den / 1000)
        assert.ok(starts.has(frame), `${caption.start} ms is frame ${frame}`)
      }
    }),
    { numRuns: isWholeRun ? 100 : 40 },
  )
})

test('captions follow the media where its rate is a little off the standard one', () => {
  // A phone that runs at 29.985 frames a second; timelines take it as 29.97, frame for frame.
  const rate = '5997/200'
  const frames = 54_000
  const words = [{ ...say('Late.')[0]!, start: 53_000, end: 53_030 }]
  const [caption] = readSrt(exportText('srt', { words, frames, rate }))
  assert.ok(Math.abs(caption!.start - (53_000 / 29.985) * 1000) < 2, `${caption!.start}`)
})

test('captions are in English where that was chosen, and refused where nothing was translated', () => {
  const words = say('Guten Morgen zusammen. Heute geht es um das Wetter.')
  const spec = makeFindings({ words, frames: 300 })
  spec.transcription!.language = 'de'
  const source = { name: 'a.mov' }
  const options = ExportOptions.parse({ caption_language: 'english' })
  const write = (format: 'srt' | 'vtt'): string =>
    exportFile({ findings: spec, source, format, options }).body
  assert.throws(() => write('srt'), /no English translation/)
  const translated = say('Good morning everybody. Today it is about the weather.')
  spec.transcription!.translation = {
    language: 'en',
    text: '',
    words: makeFindings({ words: translated, frames: 300 }).transcription!.words.map(
      ({ speaker: _, confidence: __, ...word }) => word,
    ),
  }
  for (const format of ['srt', 'vtt'] as const) {
    assert.match(write(format), /Good morning everybody/)
    assert.doesNotMatch(write(format), /Guten/)
  }
  spec.transcription!.language = 'en'
  assert.match(write('srt'), /Guten/, 'English speech is its own translation')
})

test('text that is said after the last video is captioned at its time', () => {
  const words = say(
    'The quick brown fox jumps over the lazy dog in the garden. We will meet again on Tuesday.',
  )
  const spec = makeFindings({ words, frames: 60, media: { duration: 8, duration_time: '8/1' } })
  for (const word of spec.transcription!.words) {
    word.start_frame = Math.min(60, word.start_frame)
    word.end_frame = Math.min(60, word.end_frame)
  }
  const source = { name: 'a.mov' }
  for (const which of [undefined, 'shots'] as const) {
    const options = ExportOptions.parse({ which })
    const captions = readSrt(exportFile({ findings: spec, format: 'srt', source, options }).body)
    const said = captions.flatMap((caption) => caption.lines).join(' ')
    assert.equal(said, words.map((word) => word.text).join(' '))
    assert.equal(captions.at(-1)!.start, words[12]!.start * 40)
    assert.ok(captions.at(-1)!.end <= 8000)
  }
})

test('WebVTT is read by an independent parser with the times and words of the SRT', () => {
  fc.assert(
    fc.property(spoken(), ({ words, frames }) => {
      const spec = { words, frames, rate: '24000/1001' }
      const captions = readSrt(exportText('srt', spec))
      const { cues, errors } = new webvtt.WebVTTParser().parse(
        exportText('vtt', spec),
        'subtitles/captions/descriptions',
      )
      assert.deepEqual(errors, [])
      const read = cues.map((cue) => [
        Math.round(cue.startTime * 1000),
        Math.round(cue.endTime * 1000),
      ])
      assert.deepEqual(
        read,
        captions.map((caption) => [caption.start, caption.end]),
      )
    }),
    { numRuns: 60 },
  )
})

test('WebVTT carries markup characters and speakers as text', () => {
  const words = ['<b>5', '-->', '3', '&', 'so</b>'].map((text, index) => ({
    text,
    start: index * 10,
    end: index * 10 + 9,
    speaker: 'Ann\n\n<1>',
  }))
  const body = exportText('vtt', { words })
  const { cues, errors } = new webvtt.WebVTTParser().parse(body, 'subtitles/captions/descriptions')
  assert.deepEqual(errors, [])
  assert.equal(cues.length, 1)
  assert.match(body, /^<v Ann &lt;1&gt;>&lt;b&gt;5 --&gt; 3 &amp; so&lt;\/b&gt;$/m)
})

test('lines break where a reader would: at commas, not after small words', () => {
  const captions = readSrt(
    exportText('srt', {
      frames: 2000,
      words: say(
        'I did not know what to do, because the owner was nowhere to be seen and the traffic was getting closer.',
      ),
    }),
  )
  assert.deepEqual(
    captions.map((caption) => caption.lines),
    [
      ['I did not know what to do,'],
      ['because the owner was nowhere to be seen', 'and the traffic was getting closer.'],
    ],
  )
})

test('the rest of one sentence does not share a caption with the start of the next', () => {
  const text =
    'We went along the river until it was dark and cold. Nobody said a word about it on the way.'
  const captions = readSrt(exportText('srt', { frames: 2000, words: say(text) }))
  for (const caption of captions) {
    assert.doesNotMatch(caption.lines.join(' ').slice(0, -1), /[.!?]/)
  }
})

test('captions stay long enough to read, and close small holes', () => {
  const captions = readSrt(
    exportText('srt', {
      frames: 1000,
      words: [
        { text: 'Yes.', start: 0, end: 5 },
        { text: 'No.', start: 60, end: 65 },
        { text: 'Perhaps it would be better so.', start: 90, end: 100 },
      ],
    }),
  )
  assert.deepEqual(captions[0], { start: 0, end: 840, lines: ['Yes.'] })
  // The hole before the next caption is less than half a second: two frames are left.
  assert.deepEqual(captions[1], { start: 2400, end: 3520, lines: ['No.'] })
  assert.equal(captions[2]!.end - captions[2]!.start, 1520)
})

test('a shortened timeline has captions for what it keeps, where it plays it', () => {
  const words = [
    { text: 'Well', start: 50, end: 60 },
    { text: 'um', start: 100, end: 120 },
    { text: 'hello.', start: 125, end: 150 },
  ]
  const spec: MadeFindings = {
    frames: 400,
    words,
    removals: [{ kind: 'filler', start: 98, end: 122, text: 'um' }],
  }
  const whole = readSrt(exportText('srt', spec))
  assert.deepEqual(
    whole.flatMap((caption) => caption.lines),
    ['Well', 'um hello.'],
  )
  const kept = readSrt(exportText('srt', spec, { which: 'removals-kept' }))
  assert.deepEqual(
    kept.map((caption) => [caption.start, caption.lines]),
    [
      [2000, ['Well']],
      [4040, ['hello.']],
    ],
  )
})

test('a word that no line can hold is broken, and a language without spaces gets none', () => {
  const long = `https://${'x'.repeat(100)}`
  const broken = readSrt(exportText('srt', { words: [{ text: long, start: 0, end: 100 }] }))
  assert.equal(broken.flatMap((caption) => caption.lines).join(''), long)
  const findings = makeFindings({
    words: ['今日は', 'とても', 'いい', '天気', 'です。'].map((text, index) => ({
      text,
      start: index * 10,
      end: index * 10 + 10,
    })),
  })
  findings.transcription!.language = 'ja'
  const { body } = exportFile({
    findings,
    format: 'srt',
    source: { name: 'a.mov' },
    options: ExportOptions.parse({}),
  })
  assert.deepEqual(readSrt(body)[0]?.lines, ['今日はとてもいい天気です。'])
})

/** Words as people speak: sentences, pauses, now and then two words at once. */
function spoken() {
  return fc
    .array(
      fc.record({
        text: fc
          .string({
            unit: fc.constantFrom('a', 'b', 'e', 'i', 'm', 't', 'w'),
            minLength: 1,
            maxLength: 14,
          })
          .chain((word) => fc.constantFrom(word, word, word, `${word},`, `${word}.`, `${word}?`)),
        gap: fc.constantFrom(1, 2, 3, 8, 40),
        length: fc.integer({ min: 3, max: 25 }),
      }),
      { minLength: 1, maxLength: 120 },
    )
    .map((items) => {
      let at = 0
      const words = items.map(({ text, gap, length }) => {
        const start = at + gap
        at = start + length
        return { text, start, end: at }
      })
      return { words, frames: at + 50 }
    })
}

function say(text: string) {
  let at = 10
  return text.split(' ').map((word) => {
    const start = at
    at += 4 + word.length
    return { text: word, start, end: at - 1 }
  })
}

/** SubRip as players read it: a number, a line of times, lines of text, an empty line. */
function readSrt(body: string): Caption[] {
  const time = String.raw`(\d\d):(\d\d):(\d\d),(\d{3})`
  const pattern = new RegExp(`^\\d+\\n${time} --> ${time}\\n((?:.+\\n)+)(?:\\n|$)`, 'gm')
  const captions = [...body.matchAll(pattern)].map((match) => {
    const at = match.slice(1, 9).map(Number) as [number, number, number, number, ...number[]]
    const ms = (from: number) =>
      ((at[from]! * 60 + at[from + 1]!) * 60 + at[from + 2]!) * 1000 + at[from + 3]!
    return { start: ms(0), end: ms(4), lines: match[9]!.trimEnd().split('\n') }
  })
  assert.equal(captions.length, body.split(' --> ').length - 1)
  return captions
}
