import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spreadsheetText } from './spreadsheet-text.ts'

test('formulas get an apostrophe in narrow and fullwidth characters, numbers and fractions do not', () => {
  for (const text of ['=1+1', '+x', '-x', '@a', '\t=1', '\r=1', '＝1+1', '＋1', '－1', '＠a']) {
    assert.equal(spreadsheetText(text), `'${text}`)
  }
  for (const text of ['', 'a=1', '-1', '+1.5', '-151/25', '日本語＝']) {
    assert.equal(spreadsheetText(text), text)
  }
})
