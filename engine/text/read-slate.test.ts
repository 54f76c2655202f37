import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSlate, readSlate } from './read-slate.ts'
import { tidy } from './slate-values.ts'

/** Lines as [text, left, top, height], each about as wide as it is printed. */
function lines(...list: [string, number, number, number][]) {
  return list.map(([text, left, top, height]) => {
    const width = text.length * height * 0.6
    const area = { x: left + width / 2, y: top + height / 2, width, height, angle: 0 }
    return { text, confidence: 0.95, area }
  })
}

function fieldsOf(...list: [string, number, number, number][]) {
  const { fields } = readSlate(lines(...list))
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value.text]))
}

test('values below their labels are theirs, whatever stands beside them', () => {
  const fields = fieldsOf(
    ['ROLL', 100, 100, 18],
    ['SCENE', 300, 100, 18],
    ['TAKE', 500, 100, 18],
    ['A004', 100, 120, 46],
    ['12A', 300, 120, 46],
    ['3', 500, 120, 46],
    ['DIRECTOR', 100, 200, 18],
    ['Ana Lindqvist', 100, 220, 26],
    ['CAMERA', 420, 200, 18],
    ['B', 420, 220, 26],
  )
  assert.deepEqual(fields, { roll: 'A004', scene: '12A', take: '3', camera: 'B' })
})

test('values in the line of their label, and several pairs in one line', () => {
  const fields = fieldsOf(
    ['SCENE: 7 TAKE: 12', 100, 100, 30],
    ['ROLL A12', 100, 140, 30],
    ['DATE: 2024-03-07', 100, 180, 30],
    ['TC 10:21:33:07', 100, 220, 30],
  )
  assert.deepEqual(fields, {
    scene: '7',
    take: '12',
    roll: 'A12',
    date: '2024-03-07',
    timecode: '10:21:33:07',
  })
})

test('a label with a wrong letter is still a label, and a lost space is found again', () => {
  const fields = fieldsOf(['SCEHE', 100, 100, 24], ['TAKE4', 100, 200, 24], ['31C', 220, 100, 24])
  assert.deepEqual(fields, { scene: '31C', take: '4' })
})

test('titles, signs and credits are no slate', () => {
  const credits = readSlate(
    lines(
      ['Directed by', 300, 100, 20],
      ['JANE CAMPION', 300, 130, 30],
      ['Scene of the crime', 300, 200, 20],
      ['Take me home', 300, 240, 20],
      ['EXIT 12', 300, 300, 20],
      ['DATE', 300, 340, 20],
    ),
  )
  assert.equal(isSlate(credits), false)
})

test('values that fit no field are refused, letters that look like digits are read as such', () => {
  assert.equal(tidy('take', 'O3'), '3')
  assert.equal(tidy('take', 'MOS'), null)
  assert.equal(tidy('scene', '12 a'), '12A')
  assert.equal(tidy('scene', 'HARBOUR'), null)
  assert.equal(tidy('timecode', '10:21:33:07'), '10:21:33:07')
  assert.equal(tidy('timecode', '10:61:33:07'), null)
  assert.equal(tidy('date', '07/03/2024'), '07/03/2024')
  assert.equal(tidy('date', '7 Mar 2024'), '7 Mar 2024')
  assert.equal(tidy('date', '99/99/2024'), null)
  assert.equal(tidy('date', '28/02/Z022'), '28/02/2022')
  assert.equal(tidy('date', 'Z6 FEB Z026'), '26 FEB 2026')
  assert.equal(tidy('date', '26 JUL 2026'), '26 JUL 2026')
  assert.equal(tidy('take', 'Z'), '2')
})

test('the end of a label that a hand covers still names its value, where only one can be meant', () => {
  const covered: [string, number, number, number][] = [
    ['SCENE 104B', 100, 100, 30],
    ['E 23', 160, 140, 30],
    ['L96', 160, 180, 30],
    ['E 25 0ct 2022', 160, 220, 30],
    ['TC 01:31:28:13', 100, 260, 30],
  ]
  assert.deepEqual(fieldsOf(...covered), {
    scene: '104B',
    take: '23',
    roll: '96',
    date: '25 Oct 2022',
    timecode: '01:31:28:13',
  })
  assert.equal(isSlate(readSlate(lines(...covered))), true)
  const scene: [string, number, number, number] = ['SCENE 56B', 100, 100, 30]
  const ends: [string, number, number, number][] = [
    ['E21', 160, 140, 30],
    ['E2026-01-19', 160, 180, 30],
  ]
  assert.deepEqual(fieldsOf(scene, ...ends), { scene: '56B', take: '21', date: '2026-01-19' })
  const table: [string, number, number, number][] = [
    ['CENE', 110, 100, 30],
    ['81', 300, 100, 30],
    ['EL', 120, 140, 30],
    ['21', 300, 140, 30],
    ['CAMERA', 80, 180, 30],
    ['B', 300, 180, 30],
  ]
  assert.deepEqual(fieldsOf(...table), { scene: '81', roll: '21', camera: 'B' })
  // Without a scene or two whole labels nothing says that this is a form.
  assert.deepEqual(fieldsOf(scene, ends[0]!), { scene: '56B' })
  assert.deepEqual(fieldsOf(['E 23', 160, 140, 30], ['L96', 160, 180, 30]), {})
})

test('a lone label in a column of values whose labels a hand covers makes a slate', () => {
  type Row = [string, number, number, number]
  const values = ['114B', '10', 'A085', 'B']
  const dated: Row[] = [
    ['Date', 100, 260, 28],
    ['2024-11-20', 300, 260, 30],
  ]
  const column = (list: string[]): Row[] => list.map((text, row) => [text, 300, 100 + 40 * row, 30])
  const covered = [...column(values), ...dated]
  assert.equal(isSlate(readSlate(lines(...covered))), true)
  assert.deepEqual(fieldsOf(...covered), { date: '2024-11-20' })
  const labels = values.map((_, row): Row => ['Gate', 100, 100 + 40 * row, 30])
  assert.equal(isSlate(readSlate(lines(...labels, ...covered))), false, 'other labels stand there')
  const words = column(values.map(() => 'HARBOUR'))
  assert.equal(isSlate(readSlate(lines(...words, ...dated))), false, 'words are no values')
  assert.equal(isSlate(readSlate(lines(...covered.slice(2)))), false, 'three values are too few')
})

test('a date that lost one of its marks is still a date', () => {
  assert.equal(tidy('date', '08.0219'), '08.02.19')
  assert.equal(tidy('date', '2024-1120'), '2024-11-20')
  assert.equal(tidy('date', '0711/2024'), '07/11/2024')
  assert.equal(tidy('date', '08.9919'), null)
  assert.equal(tidy('date', '080219'), null)
})

test('a scene and a timecode with their labels are a slate, a scene alone is none', () => {
  const scene: [string, number, number, number] = ['SCENE 53C', 100, 100, 30]
  const timecode: [string, number, number, number] = ['TC 09:35:25:17', 100, 180, 30]
  assert.equal(isSlate(readSlate(lines(scene, timecode))), true)
  assert.equal(isSlate(readSlate(lines(scene, ['AN 2024', 160, 140, 30]))), false)
})
