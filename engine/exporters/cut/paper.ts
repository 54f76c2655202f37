/** The paper edit: a cut's text with timecodes, to read and to mark up, as a page and as a document. */
import { cutTranscript } from '../../../domain/cuts/cut-text.ts'
import type { CutPassage } from '../../../domain/cuts/cut-text.ts'
import { rateLabel, toTimecode } from '../../../domain/time/timecode.ts'
import { expectEqual } from '../compare.ts'
import { oneLine } from '../timeline/names.ts'
import { withHandles } from './timeline.ts'
import type { CutExportInput, CutTimeline } from './timeline.ts'

export interface PaperRow {
  number: number
  record: string
  source: string
  length: string
  clip: string
  speaker: string
  note: string
  words: { text: string; struck: boolean }[]
}

export interface Paper {
  title: string
  facts: string
  notes: string[]
  rows: PaperRow[]
  comments: { at: string; name: string; text: string }[]
}

export function buildPaper(timeline: CutTimeline, input: CutExportInput): Paper {
  const { format, recordStart } = timeline
  const known = new Set(input.transcripts.map((text) => text.content_id))
  const sources = input.sources.map((source) => ({
    ...source,
    transcribed: known.has(source.content_id),
  }))
  const passages = cutTranscript(input.cut, sources, input.transcripts).filter(
    (passage) => !passage.disabled,
  )
  const tracks = new Map(timeline.sources.map((source) => [source.contentId, source]))
  const length = toTimecode(timeline.frames, format)
  return {
    title: timeline.title,
    facts: `Version ${input.cut.version} · ${length} · ${rateLabel(format.rate)} fps · starts at ${toTimecode(recordStart, format)}`,
    notes: timeline.notes,
    rows: passages.map((passage, index): PaperRow => {
      const track = tracks.get(passage.contentId)
      const name = (frame: number): string =>
        track ? toTimecode(track.grid.startFrame + track.grid.place(frame), track.grid.format) : ''
      return {
        number: index + 1,
        record:
          passage.recordIn === null
            ? '–'
            : toTimecode(recordStart + withHandles(passage.recordIn, timeline.clips), format),
        source: `${name(passage.in)} – ${name(passage.out)}`,
        length: toTimecode(passage.recordFrames, format),
        clip: `${oneLine(passage.clipName)}${passage.offline ? ' (offline)' : ''}`,
        speaker: passage.speaker ?? '',
        note: oneLine(input.cut.ranges[passage.rangeIndex]?.note ?? ''),
        words: wordsOf(passage),
      }
    }),
    comments: timeline.markers.map((marker) => ({
      at: toTimecode(recordStart + marker.at, format),
      name: marker.name,
      text: marker.text,
    })),
  }
}

/** Runs of kept and of struck words. */
function wordsOf({ words, joiner }: CutPassage): PaperRow['words'] {
  const runs: PaperRow['words'] = []
  for (const word of words) {
    const last = runs.at(-1)
    const text = oneLine(word.text)
    if (last?.struck === word.struck) last.text += joiner + text
    else runs.push({ text: last ? joiner + text : text, struck: word.struck })
  }
  return runs
}

export function makeCutHtml(paper: Paper): string {
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
  const body = `<!doctype html>
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
  expectEqual('the number of passages', body.split('<tr>').length - 1, paper.rows.length)
  return body
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
