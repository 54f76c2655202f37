/** The paper edit as a page, to print or to save as a PDF. */
import { expectEqual } from '../compare.ts'
import type { Format } from '../format.ts'
import { buildPaper } from './paper.ts'
import type { Paper, PaperRow } from './paper.ts'

export const html: Format = {
  anyRate: true,
  write: (input) => writeHtml(buildPaper(input)),
  check(body: string, input) {
    const passages = body.split('<tr>').length - 1
    expectEqual('the number of passages', passages, buildPaper(input).rows.length)
  },
}

function writeHtml(paper: Paper): string {
  const rows = paper.rows.map(
    (row) => `<tr><td class="n">${row.number}</td>
<td class="tc">${row.record}<br><span>${row.length}</span></td>
<td><p class="head"><b>${escape(row.speaker)}</b> ${escape(row.clip)} <span class="tc">${row.source}</span></p>
<p>${row.words.map(run).join('')}</p>${row.note ? `<p class="note">${escape(row.note)}</p>` : ''}</td></tr>`,
  )
  const comments = paper.comments.map(
    (comment) =>
      `<li><span class="tc">${comment.at}</span> <b>${escape(comment.name)}</b> ${escape(comment.text)}</li>`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escape(paper.title)}</title>
<style>
@page { size: A4; margin: 18mm 16mm }
body { font: 11pt/1.5 Georgia, serif; color: #111; max-width: 180mm; margin: 12mm auto }
h1 { font-size: 18pt; margin: 0 } p { margin: 0 0 2mm }
.facts, .head, .note, .tc, li { font: 9pt/1.4 ui-monospace, monospace; color: #444 }
table { width: 100%; border-collapse: collapse; margin-top: 6mm }
td { vertical-align: top; padding: 3mm 2mm; border-top: .2mm solid #bbb }
tr { break-inside: avoid } .n { width: 8mm } .tc { white-space: nowrap } s { color: #777 }
</style></head><body>
<h1>${escape(paper.title)}</h1>
<p class="facts">${escape(paper.facts)}</p>
${paper.notes.map((note) => `<p class="note">${escape(note)}</p>`).join('\n')}
<table>
${rows.join('\n')}
</table>
${comments.length > 0 ? `<h2>Comments</h2><ul>${comments.join('\n')}</ul>` : ''}
</body></html>
`
}

function run({ text, struck }: PaperRow['words'][number]): string {
  return struck ? `<s>${escape(text)}</s>` : escape(text)
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
