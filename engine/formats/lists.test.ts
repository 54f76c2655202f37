/** The flat formats: EDL details, marker lists, CSV and JSON. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { ExportOptionsInput } from '../../contract/footage/export-options.ts'
import { Findings } from '../../domain/findings/findings.ts'
import { mediaName } from '../../test/export-parsers/arbitrary.ts'
import { parseEdl } from '../../test/export-parsers/edl.ts'
import { parseFcpxml } from '../../test/export-parsers/fcpxml.ts'
import { find } from '../../test/export-parsers/xml.ts'
import { makeFindings } from '../../test/export-parsers/findings.ts'
import type { MadeFindings } from '../../test/export-parsers/findings.ts'
import { exportMade } from '../../test/export-parsers/export.ts'

test('an EDL of more than 999 events keeps every one, and comes in parts for strict systems', () => {
  const changes = Array.from({ length: 2500 }, (_, index) => ({
    type: 'cut' as const,
    start: (index + 1) * 10,
    end: (index + 1) * 10,
  }))
  const spec: MadeFindings = { frames: 30_000, changes, audio: [] }
  const whole = parseEdl(exportMade('edl', spec).body, 25)
  assert.equal(whole.events.length, 2501)
  assert.equal(whole.events.at(-1)!.number, '2501')
  const parts = [1, 2, 3].map((edl_part) => exportMade('edl', spec, { edl_part }))
  assert.deepEqual(
    parts.map((part) => part.fileName),
    [1, 2, 3].map((number) => `clip part ${number}.edl`),
  )
  const events = parts.flatMap((part) => parseEdl(part.body, 25).events)
  assert.ok(events.every((event) => event.number.length === 3))
  assert.deepEqual(
    events.map((event) => event.recordIn),
    whole.events.map((event) => event.recordIn),
  )
})

test('a reel is eight plain characters unless the full name is asked for', () => {
  const reel = (options: ExportOptionsInput, spec: MadeFindings = {}) =>
    parseEdl(exportMade('edl', spec, options, 'A001_C003 Zoë & co.mov').body, 25).events[0]!.reel
  assert.equal(reel({}), 'A001_C00')
  assert.equal(reel({}, { media: { reel: 'B007' } }), 'B007')
  assert.equal(reel({}, { media: { reel: 'A001C003_0101XY' } }), 'A001C003')
  assert.equal(reel({ reel: 'tape 7' }), 'TAPE_7')
  assert.equal(reel({ full_reel: 'true' }), 'A001_C003_Zoe_co')
  assert.equal(reel({ reel: '???' }), 'AX')
})

test('an EDL names the clip, whatever its name', () => {
  fc.assert(
    fc.property(mediaName, (name) => {
      const { events } = parseEdl(exportMade('edl', {}, {}, name).body, 25)
      assert.equal(events.length, 1)
      const clip = events[0]!.comments.find((comment) => comment.startsWith('FROM CLIP NAME:'))!
      assert.doesNotMatch(clip, /\p{Cc}/u)
    }),
  )
  assert.match(
    exportMade('edl', {}, {}, 'Zürich & "Co" <1>.mov').body,
    /NAME: Zürich & "Co" <1>\.mov\r\n/,
  )
})

test('text and slates are rows, markers, ALE columns, clip names and FCPXML metadata', () => {
  const spec: MadeFindings = {
    changes: [{ type: 'cut', start: 300, end: 300 }],
    lines: [{ text: 'Harbour, 1989', start: 400, end: 450 }],
    slates: [{ scene: '12A', take: '3', start: 10, end: 60, clap: 42 }],
  }
  const rows = exportMade('csv', spec, { section: 'slates' }).body.split('\r\n')
  assert.match(rows[1]!, /^slates,1,slate,10,60,00:00:00:10,00:00:02:10,.*"scene 12A, take 3, /)
  assert.match(rows[2]!, /^slates,2,clap,42,42,00:00:01:17,/)
  assert.match(
    exportMade('csv', spec, { section: 'text' }).body,
    /text,1,line,400,450,.*"Harbour, 1989"/,
  )
  const ale = exportMade('ale', spec, { clip_names: 'slate' }).body.split('\r\n')
  const columns = ale[ale.indexOf('Column') + 1]!.split('\t')
  const clips = ale
    .slice(ale.indexOf('Data') + 1, -1)
    .map((line) => Object.fromEntries(line.split('\t').map((field, at) => [columns[at], field])))
  assert.deepEqual(
    clips.map((clip) => [
      clip['Name'],
      clip['Scene'],
      clip['Take'],
      clip['Camroll'],
      clip['Camera'],
    ]),
    [
      ['12A-3-B', '12A', '3', 'A004', 'B'],
      ['12A-3-B Shot 002', '12A', '3', 'A004', 'B'],
    ],
  )
  assert.equal(clips[0]!['Shoot Date'], '2024-03-07')
  const markers = exportMade('resolve-markers', spec).body
  assert.match(markers, /\|M:Clap 12A-3-B \|D:1/)
  assert.match(markers, /\|M:Harbour, 1989 \|D:50/)
  const { root } = parseFcpxml(exportMade('fcpxml', spec).body)
  const metadata = find(root, 'md').map(({ attributes }) => [
    attributes['key'],
    attributes['value'],
  ])
  assert.deepEqual(Object.fromEntries(metadata)['com.apple.proapps.studio.scene'], '12A')
  assert.deepEqual(Object.fromEntries(metadata)['com.apple.proapps.studio.shot'], '3')
  const keywords = find(root, 'keyword').map(({ attributes }) => attributes['value'])
  assert.ok(keywords.includes('Slate') && keywords.includes('Clap'), keywords.join())
})

test('without slates an ALE has the columns that it had', () => {
  assert.doesNotMatch(exportMade('ale', {}).body, /Camroll/)
})

test('a wipe and a dissolve are events with their lengths', () => {
  const { events } = parseEdl(
    exportMade('edl', {
      audio: [],
      changes: [
        { type: 'dissolve', start: 100, end: 124 },
        { type: 'wipe', start: 300, end: 330 },
        { type: 'fade', start: 500, end: 512 },
      ],
    }).body,
    25,
  )
  assert.deepEqual(
    events.filter((event) => event.effect !== 'C').map((event) => [event.effect, event.length]),
    [
      ['D', 24],
      ['W001', 30],
      ['D', 12],
    ],
  )
})

test('a doubtful lip is red and a shot blue in every format that has colours', () => {
  const spec: MadeFindings = {
    lipFlap: [[300, 360]],
    changes: [{ type: 'cut', start: 100, end: 100 }],
  }
  for (const format of ['resolve-markers', 'avid-markers', 'otio'] as const) {
    const { body } = exportMade(format, spec, { markers: 'shots,lip-flap' })
    for (const color of ['red', 'blue']) {
      assert.match(
        body,
        new RegExp(`(?<![A-Za-z])(ResolveColor)?${color}(?![A-Za-z])`, 'i'),
        format,
      )
    }
  }
})

test('Resolve markers are events of one frame with colour, name and length', () => {
  const { body, fileName } = exportMade('resolve-markers', {
    rate: '30000/1001',
    dropFrame: true,
    startTimecode: '00:59:59;29',
    changes: [{ type: 'dissolve', start: 1, end: 25 }],
    points: [{ frame: 1, score: 0.75, reasons: ['a | b'] }],
    lipFlap: [[300, 360]],
  })
  assert.equal(fileName, 'clip.markers.edl')
  assert.deepEqual(body.split('\r\n').slice(3, -2), [
    '001  001      V     C        01:00:00;00 01:00:00;01 01:00:00;00 01:00:00;01  ',
    'a / b / Score 0.90, edit point 01:00:00;12 |C:ResolveColorGreen |M:Cut point 0.75 / Dissolve |D:24',
    '',
    '002  001      V     C        01:00:09;29 01:00:10;00 01:00:09;29 01:00:10;00  ',
    'Mouth moves without a voice |C:ResolveColorRed |M:Lip flap |D:60',
  ])
})

test('a lip flap of a file whose sound is late says by how much', () => {
  const { body } = exportMade('resolve-markers', { lipFlap: [[300, 360]], soundDelaySeconds: 0.52 })
  assert.match(body, /Sound is about 0\.5 s late \|C:ResolveColorRed \|M:Lip flap/)
})

test('an ALE has a row for each clip, on the tape of its source', () => {
  const { body, fileName } = exportMade('ale', {
    rate: '24000/1001',
    startTimecode: '10:00:00:00',
    frames: 240,
    audio: [1, 1],
    changes: [{ type: 'cut', start: 100, end: 100 }],
    media: { reel: 'A001R1', height: 1080 },
  })
  assert.equal(fileName, 'clip.ale')
  const [heading, data] = body.split('\r\nData\r\n')
  assert.match(heading ?? '', /^Heading\r\nFIELD_DELIM\tTABS\r\nVIDEO_FORMAT\t1080\r\n/)
  assert.match(heading ?? '', /\r\nFPS\t23\.976\r\n\r\nColumn\r\nName\tTracks\tStart\tEnd\t/)
  assert.deepEqual(
    (data ?? '')
      .trimEnd()
      .split('\r\n')
      .map((row) => row.split('\t').slice(1, 6)),
    [
      ['VA1A2', '10:00:00:00', '10:00:04:04', '00:00:04:04', 'A001R1'],
      ['VA1A2', '10:00:04:04', '10:00:10:00', '00:00:05:20', 'A001R1'],
    ],
  )
})

test('Avid markers are rows of user, timecode, track, colour, text and length', () => {
  const { body } = exportMade('avid-markers', {
    startTimecode: '10:00:00:00',
    points: [{ frame: 30, score: 0.75, reasons: ['a\tb'] }],
    lipFlap: [[300, 360]],
  })
  assert.deepEqual(body.trimEnd().split('\r\n'), [
    'CutIndex\t10:00:01:05\tV1\tgreen\tCut point 0.75: a b\t1',
    'CutIndex\t10:00:12:00\tV1\tred\tLip flap: Mouth moves without a voice\t60',
  ])
})

test('a Premiere marker list has five tab-separated columns', () => {
  const { body } = exportMade('premiere-markers', {
    startTimecode: '10:00:00:00',
    removals: [{ kind: 'filler', start: 50, end: 60, text: 'um\tyes\nno' }],
    changes: [{ type: 'cut', start: 25, end: 25 }],
  })
  assert.equal(
    body,
    [
      'Marker Name\tDescription\tIn\tOut\tDuration',
      'Cut\tScore 0.90\t10:00:01:00\t10:00:01:00\t00:00:00:00',
      'Filler: um yes no\tSuggested removal\t10:00:02:00\t10:00:02:10\t00:00:00:10',
      '',
    ].join('\r\n'),
  )
})

test('CSV follows RFC 4180 and gives a spreadsheet nothing to run', () => {
  const texts = ['=1+1', '+cmd|x', '-2', '-x', '@a', 'plain', 'a "b", c', 'two\nlines', '\tx', '']
  const words = texts.map((text, index) => ({ text, start: index * 10, end: index * 10 + 9 }))
  const rows = parseCsv(exportMade('csv', { words }, { section: 'words' }).body)
  assert.deepEqual(
    rows.slice(1).map((row) => row.at(-1)),
    ["'=1+1", "'+cmd|x", '-2', "'-x", "'@a", 'plain', 'a "b", c', 'two\nlines', "'\tx", ''],
  )
  assert.deepEqual(rows[0]!.slice(0, 5), ['section', 'index', 'type', 'start_frame', 'end_frame'])
})

test('CSV rows are the findings, for any text', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 30 }), (texts) => {
      const words = texts.map((text, index) => ({ text, start: index, end: index + 1 }))
      const rows = parseCsv(
        exportMade('csv', { words }, { section: 'words', bom: 'true' }).body,
      ).slice(1)
      assert.equal(rows.length, words.length)
      rows.forEach((row, index) => {
        assert.deepEqual(row.slice(3, 5), [String(index), String(index + 1)])
        const said = row.at(-1)!
        assert.ok(said === texts[index] || said === `'${texts[index]}`)
        assert.doesNotMatch(said, /^[=+@\t\r]/)
      })
    }),
  )
})

test('CSV shots follow a moved threshold', () => {
  const changes = [
    { type: 'cut' as const, start: 100, end: 100, score: 0.9 },
    { type: 'dissolve' as const, start: 200, end: 220, score: 0.3 },
  ]
  const options = { section: 'shots', threshold: 0.2 } as const
  const rows = parseCsv(exportMade('csv', { changes }, options).body).slice(1)
  assert.deepEqual(
    rows.map((row) => row.slice(2, 7)),
    [
      ['start', '0', '100', '00:00:00:00', '00:00:04:00'],
      ['cut', '100', '210', '00:00:04:00', '00:00:08:10'],
      ['dissolve', '210', '1000', '00:00:08:10', '00:00:40:00'],
    ],
  )
})

test('JSON is the findings, checked, with a moved threshold applied', () => {
  const spec: MadeFindings = {
    changes: [{ type: 'cut', start: 100, end: 100, score: 0.9 }],
    candidates: [
      { type: 'cut', start: 100, end: 100, score: 0.9 },
      { type: 'cut', start: 300, end: 300, score: 0.2 },
    ],
  }
  const plain = Findings.parse(JSON.parse(exportMade('json', spec).body))
  assert.deepEqual(plain, makeFindings(spec))
  const moved = Findings.parse(JSON.parse(exportMade('json', spec, { threshold: 0.1 }).body))
  assert.deepEqual(
    moved.shots?.changes.map((change) => change.start_frame),
    [100, 300],
  )
  assert.deepEqual(
    moved.shots?.shots.map((shot) => [shot.start_frame, shot.end_frame]),
    [
      [0, 100],
      [100, 300],
      [300, 1000],
    ],
  )
})

test('file names are safe on every system', () => {
  fc.assert(
    fc.property(mediaName, (name) => {
      const { fileName } = exportMade('json', {}, {}, name)
      assert.match(fileName, /^[^\\/:*?"<>|\p{Cc}]+\.json$/u)
      assert.ok(Array.from(fileName).length <= 130)
      assert.doesNotMatch(fileName, /^\./)
    }),
  )
})

test('files of one clip that hold different things have different names, however long', () => {
  const long = `${'a very long name '.repeat(12)}.mov`
  const points = [{ frame: 30, score: 0.9 }]
  for (const name of ['clip.mov', long]) {
    const nameOf = (options: ExportOptionsInput): string =>
      exportMade('edl', { points }, options, name).fileName
    const selects = [{ start_frame: 5, end_frame: 25 }]
    const names = [
      nameOf({}),
      nameOf({ edl_part: 1 }),
      nameOf({ which: 'selects', selects }),
      nameOf({ which: 'cutpoints' }),
    ]
    assert.equal(new Set(names).size, names.length, names.join(', '))
    assert.match(names[2] ?? '', / - selects\.edl$/)
  }
})

/** RFC 4180, character by character. */
function parseCsv(body: string): string[][] {
  const text = body.replace(/^\uFEFF/, '')
  const rows: string[][] = []
  let row: string[] = []
  let field = ''
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (quoted && character === '"' && text[at + 1] === '"') field += text[++at]!
    else if (character === '"') quoted = !quoted
    else if (!quoted && character === ',') {
      row.push(field)
      field = ''
    } else if (!quoted && character === '\r' && text[at + 1] === '\n') {
      rows.push([...row, field])
      row = []
      field = ''
      at++
    } else field += character
  }
  assert.equal(field, '')
  assert.equal(quoted, false)
  return rows
}
