/** Titles and a slate drawn into tiny clips, so that every letter and frame is known. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { analyse } from '../analyse.ts'
import { clipFolder, drawLine, makeClip, makeSlateClip } from '../clips.testing.ts'
import { slow } from '../../test/support/slow.ts'

const sample = path.join(import.meta.dirname, '../../assets/sample.mp4')
const encode = '-c:v libx264 -preset ultrafast -crf 18 -pix_fmt yuv420p'

async function findText(file: string, folder: string) {
  const { findings, outcomes } = await analyse({ file, extractors: ['text'], workDir: folder })
  assert.deepEqual(outcomes.text, { status: 'done' })
  return findings.text!
}

test('a lower third is read once, with its place and its first and last frame', async (t) => {
  const folder = await clipFolder(t)
  const frames: [number, number] = [20, 55]
  const box = `drawbox=x=30:y=250:w=320:h=90:color=black:t=fill:enable='between(n,20,54)'`
  const filters = [
    'trim=start_frame=5:end_frame=80,setpts=N/25/TB,scale=640:360',
    box,
    await drawLine(folder, 'Anna Whitfield', { x: 40, y: 258, size: 32, frames }),
    await drawLine(folder, 'Head of Research', { x: 40, y: 302, size: 22, frames }),
  ].join(',')
  const file = await makeClip(folder, `-i ${sample} -vf ${filters} -an ${encode} title.mp4`)
  const { lines, slates } = await findText(file, folder)
  assert.deepEqual(
    lines.map(({ text }) => text),
    ['Anna Whitfield', 'Head of Research'],
  )
  for (const line of lines) {
    assert.ok(Math.abs(line.start_frame - 20) <= 1, `starts at ${line.start_frame}`)
    assert.ok(Math.abs(line.end_frame - 55) <= 1, `ends at ${line.end_frame}`)
    assert.ok(line.box.x > 0.03 && line.box.x < 0.08 && line.box.y > 0.66, JSON.stringify(line.box))
  }
  assert.deepEqual(slates, [])
})

test('a slate gives its fields, and the clap is where it is heard', slow, async (t) => {
  const folder = await clipFolder(t)
  const file = await makeSlateClip(folder)
  const { slates, lines } = await findText(file, folder)
  assert.equal(slates.length, 1)
  const [slate] = slates
  const { scene, take, roll, camera, date, timecode } = slate!
  assert.deepEqual(
    [scene, take, roll, camera, date, timecode].map((value) => value?.text),
    ['12A', '3', 'A004', 'B', '2024-03-07', undefined],
  )
  assert.equal(slate!.clip_name, '12A-3-B')
  assert.deepEqual([slate!.clap?.frame, slate!.clap?.heard], [30, true])
  assert.ok(lines.every((line) => line.on_slate))
})
