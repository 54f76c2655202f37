/** Limit of one header: some clients accept only 16 kB for all headers. */
const maxHeaderLength = 6000

/** The notes of an export as a header; the file holds all of them. */
export function notesHeader(notes: readonly string[]): string {
  const shown: string[] = []
  for (const [index, note] of notes.entries()) {
    const more = `And ${notes.length - index} more.`
    const length = encodeURIComponent([...shown, note, more].join('\n')).length
    if (length > maxHeaderLength) return encodeURIComponent([...shown, more].join('\n'))
    shown.push(note)
  }
  return encodeURIComponent(shown.join('\n'))
}
