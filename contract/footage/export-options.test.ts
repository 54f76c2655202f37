import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ExportOptions } from './export-options.ts'

test('a query string reads as the same options as their JSON', () => {
  const query = new URLSearchParams({
    threshold: '0.4',
    accepted: '1,2,3',
    rejected: '[7]',
    selects: '[{"start_frame":0,"end_frame":9,"name":"a, b"}]',
    markers: 'shots,lip-flap',
    handle_frames: '12',
    drop_frame: 'false',
    captions: '1',
  })
  assert.deepEqual(
    ExportOptions.parse(Object.fromEntries(query)),
    ExportOptions.parse({
      threshold: 0.4,
      accepted: [1, 2, 3],
      rejected: [7],
      selects: [{ start_frame: 0, end_frame: 9, name: 'a, b' }],
      markers: ['shots', 'lip-flap'],
      handle_frames: 12,
      drop_frame: false,
      captions: true,
    }),
  )
})

test('nothing asked for is nothing wrong', () => {
  const options = ExportOptions.parse({})
  assert.equal(options.fcpxml_version, '1.11')
  assert.equal(options.audio, true)
  assert.deepEqual(ExportOptions.parse({ markers: '' }).markers, [])
})

test('nonsense is refused', () => {
  const wrong: Record<string, unknown>[] = [
    { threshold: '2' },
    { threshold: 'x' },
    { accepted: '1,x' },
    { accepted: '[1,' },
    { accepted: '-1' },
    { selects: '[{"start_frame":9,"end_frame":9}]' },
    { selects: '{"start_frame":1}' },
    { frame_rate: '0' },
    { frame_rate: 'fast' },
    { start_timecode: '1:2' },
    { markers: 'everything' },
    { fcpxml_version: '1.8' },
    { captions: 'maybe' },
    { handle_frames: '1.5' },
    { accepted: `[${'1,'.repeat(20_001)}1]` },
  ]
  for (const options of wrong) {
    assert.equal(
      ExportOptions.safeParse(options).success,
      false,
      JSON.stringify(options).slice(0, 80),
    )
  }
})
