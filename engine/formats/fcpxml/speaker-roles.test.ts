import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fcpxmlVersions } from '../../../contract/footage/export-options.ts'
import type { ExportOptionsInput } from '../../../contract/footage/export-options.ts'
import { fcpxmlFaults, parseFcpxml } from '../../../test/export-parsers/fcpxml.ts'
import type { MadeFindings } from '../../../test/export-parsers/findings.ts'
import { only } from '../../../test/export-parsers/xml.ts'
import { exportText } from '../../../test/export-parsers/export.ts'

/** Two speakers with a cut between them, a third who is not sure, and a clip that two share. */
const words = [
  { start: 10, end: 30, speaker: 'voice-1', speakerConfidence: 0.95 },
  { start: 40, end: 90, speaker: 'voice-1', speakerConfidence: 0.9 },
  { start: 110, end: 190, speaker: 'Dr. Who, MD', speakerConfidence: 1 },
  { start: 210, end: 290, speaker: 'voice-3', speakerConfidence: 0.5 },
  { start: 310, end: 330, speaker: 'voice-1', speakerConfidence: 0.9 },
  { start: 340, end: 360, speaker: 'Dr. Who, MD', speakerConfidence: 1 },
].map((word) => ({ ...word, text: 'word' }))

function write(spec: MadeFindings, options: ExportOptionsInput): string {
  return exportText('fcpxml', { frames: 500, audio: [2], ...spec }, options)
}

const changes = [100, 200, 300, 400].map((at) => ({ type: 'cut' as const, start: at, end: at }))

for (const version of fcpxmlVersions) {
  test(`speakers are roles and keywords of FCPXML ${version}, by its grammar`, () => {
    const body = write({ changes, words }, { fcpxml_version: version, captions: 'true' })
    const { root } = parseFcpxml(body)
    assert.deepEqual(fcpxmlFaults(body), [])
    const event = only(root, 'library', 'event')
    const clips = only(event, 'project', 'sequence', 'spine').children
    assert.deepEqual(
      clips.map((clip) => clip.attributes['audioRole']),
      ['dialogue.Voice 1', 'dialogue.Dr  Who  MD', 'dialogue', 'dialogue', 'dialogue'],
      'an unsure speaker, two speakers and silence have no role of their own',
    )
    const captions = clips.flatMap((clip) =>
      clip.children.filter((node) => node.name === 'caption'),
    )
    assert.equal(new Set(captions.map((node) => node.attributes['role'])).size, 1)
    const source = event.children.find((node) => node.name === 'asset-clip')!
    const ranges = source.children.filter((node) => node.attributes['note'] === 'Speaker')
    assert.deepEqual(
      ranges.map(({ attributes }) => [
        attributes['value'],
        attributes['start'],
        attributes['duration'],
      ]),
      [
        ['Voice 1', '1000/2500s', '8000/2500s'],
        ['Dr. Who  MD', '11000/2500s', '8000/2500s'],
        ['Voice 3?', '21000/2500s', '8000/2500s'],
        ['Voice 1', '31000/2500s', '2000/2500s'],
        ['Dr. Who  MD', '34000/2500s', '2000/2500s'],
      ],
    )
  })
}

test('without speakers nothing is added', () => {
  const body = write({ words: [{ text: 'word', start: 0, end: 10 }] }, {})
  assert.ok(!body.includes('dialogue.') && !body.includes('Speaker'))
})
