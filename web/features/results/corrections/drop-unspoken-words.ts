/**
 * A corrected paragraph without what was not spoken: every word that the selection touches goes.
 * Where no spaces part words, the browser finds them.
 */
export function dropUnspokenWords(
  text: string,
  { from, to, joiner }: { from: number; to: number; joiner: string },
): string {
  if (joiner === '') return withoutSegments(text, from, to).trim()
  const start = text.slice(0, from).search(/\S*$/)
  const end = to + (/^\S*/.exec(text.slice(to))?.[0].length ?? 0)
  const after = text.slice(/\s/.test(text[to - 1] ?? '') ? to : end)
  return `${text.slice(0, start).trimEnd()} ${after.trimStart()}`.trim()
}

function withoutSegments(text: string, from: number, to: number): string {
  const words = [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)]
  return words
    .filter(({ index, segment }) => index + segment.length <= from || index >= to)
    .map(({ segment }) => segment)
    .join('')
}
