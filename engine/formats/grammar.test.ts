/** XML exports against the grammars of what they write (test/export-parsers/*.dtd). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { fcpxmlVersions } from '../../contract/footage/export-options.ts'
import type { ExportOptionsInput } from '../../contract/footage/export-options.ts'
import { mediaName, videoFindings } from '../../test/export-parsers/arbitrary.ts'
import { fcpxmlFaults, parseFcpxml } from '../../test/export-parsers/fcpxml.ts'
import type { MadeFindings } from '../../test/export-parsers/findings.ts'
import { parseXmeml, xmemlFaults } from '../../test/export-parsers/xmeml.ts'
import { isWholeRun } from '../../test/support/slow.ts'
import { exportText } from '../../test/export-parsers/export.ts'

const rich: MadeFindings = {
  rate: '30000/1001',
  dropFrame: true,
  startTimecode: '00:59:59;28',
  frames: 3000,
  audio: [2, 1, 1],
  changes: [
    { type: 'cut', start: 100, end: 100 },
    { type: 'dissolve', start: 400, end: 425 },
    { type: 'wipe', start: 800, end: 812 },
    { type: 'fade', start: 1500, end: 1560 },
  ],
  points: [
    { frame: 250, score: 0.9, reasons: ['pause', 'closed mouth'] },
    { frame: 300, score: 0.1 },
  ],
  removals: [{ kind: 'filler', start: 1000, end: 1010, text: 'um & <er>' }],
  lipFlap: [[900, 950]],
  words: 'It is "so" & <so> nice to see you here. Is it not?'
    .split(' ')
    .map((text, index) => ({ text, start: 100 + index * 12, end: 110 + index * 12 })),
}

for (const version of fcpxmlVersions) {
  test(`FCPXML ${version} follows its grammar`, () => {
    for (const options of variants({ fcpxml_version: version, captions: 'true' })) {
      const body = exportText('fcpxml', rich, options)
      const { root } = parseFcpxml(body)
      assert.equal(root.attributes['version'], version)
      assert.deepEqual(fcpxmlFaults(body), [])
    }
  })
}

test('xmeml follows its grammar', () => {
  for (const options of [...variants({}), { markers_on: 'clips' as const }]) {
    const body = exportText('xml', rich, options)
    assert.deepEqual(xmemlFaults(body), [])
  }
})

test('any name leaves the XML well-formed and names the same file', () => {
  fc.assert(
    fc.property(videoFindings, mediaName, (spec, name) => {
      const fcpxml = exportText('fcpxml', spec, {}, name)
      const xmeml = exportText('xml', spec, {}, name)
      assert.deepEqual(fcpxmlFaults(fcpxml), [])
      assert.deepEqual(xmemlFaults(xmeml), [])
      const url = parseFcpxml(fcpxml).source
      const { pathUrl } = parseXmeml(xmeml)
      assert.match(pathUrl, /^file:\/\/localhost\/[\w.~%-]+$/)
      assert.equal(
        decodeURIComponent(new URL(pathUrl).pathname),
        decodeURIComponent(new URL(url).pathname),
      )
    }),
    { numRuns: isWholeRun ? 40 : 15 },
  )
})

test('the grammars see what is wrong', () => {
  const fcpxml = exportText('fcpxml', rich, {})
  const broken = [
    fcpxml.replace('ref="a1"', 'ref="r9"'),
    fcpxml.replace('<spine>', '<spine><marker start="0/25s" duration="1/25s" value="x"/>'),
    fcpxml.replace(/ tcStart="[^"]*"/, ''),
    fcpxml.replace('<media-rep', '<note>x</note><media-rep'),
    fcpxml.replace(/offset="[^"]*"/, 'offset="1.5s"'),
    fcpxml.replace(/offset="[^"]*"/, 'offset="0s"'),
    fcpxml.replace(' name="', ' nickname="'),
  ]
  for (const body of broken) assert.notDeepEqual(fcpxmlFaults(body), [], body.slice(0, 400))
  const xmeml = exportText('xml', rich, {})
  for (const body of [
    xmeml.replace('<linkclipref>', '<linkclipref>x'),
    xmeml.replace('<enabled>', '<scale>1</scale><enabled>'),
    xmeml.replace('<file id="file-1"/>', '<file id="file-1"><name>x</name></file>'),
  ]) {
    assert.notDeepEqual(xmemlFaults(body), [], body.slice(0, 400))
  }
})

test('paths of every system become file URLs', () => {
  const urls = (media_path: string) => {
    const options = { media_path }
    return [
      parseXmeml(exportText('xml', {}, options, 'My clip.mov')).pathUrl,
      parseFcpxml(exportText('fcpxml', {}, options, 'My clip.mov')).source,
    ]
  }
  assert.deepEqual(urls('/Volumes/Media A/'), [
    'file://localhost/Volumes/Media%20A/My%20clip.mov',
    'file:///Volumes/Media%20A/My%20clip.mov',
  ])
  assert.deepEqual(urls('D:\\Rushes\\Tag 1\\Öl.mxf'), [
    'file://localhost/D%3a/Rushes/Tag%201/%C3%96l.mxf',
    'file:///D:/Rushes/Tag%201/%C3%96l.mxf',
  ])
  assert.deepEqual(urls('/a/100%#?.mov'), [
    'file://localhost/a/100%25%23%3F.mov',
    'file:///a/100%25%23%3F.mov',
  ])
})

test('a turned picture makes an upright sequence', () => {
  const spec: MadeFindings = { media: { rotation: 90, width: 1920, height: 1080 } }
  const format = parseFcpxml(exportText('fcpxml', spec, {})).root.children[0]!.children[0]!
  assert.deepEqual([format.attributes['width'], format.attributes['height']], ['1080', '1920'])
})

function variants(options: ExportOptionsInput): ExportOptionsInput[] {
  return [
    options,
    { ...options, which: 'removals-kept' },
    { ...options, which: 'selects', selects: [{ start_frame: 5, end_frame: 900, name: 'A & B' }] },
    {
      ...options,
      audio: 'false',
      markers: 'shots,sentences,removals,lip-flap',
      transitions: 'cuts',
    },
    { ...options, markers: [], reel: 'A001C003' },
  ]
}
