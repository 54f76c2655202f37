/**
 * A pronouncing dictionary as it lies in its file: a line for each word and for each further way to
 * say it ("the DH AH", then "the(2) DH IY"). To hand all of its 130,000 lines to the aligner takes
 * longer than to place the words of a short clip, so only the lines that a text needs are looked
 * up.
 */
export interface Dictionary {
  /** The ways to say a word, by their names in the file; empty for an unknown word. */
  waysToSay: (word: string) => [name: string, phones: string][]
}

const lineFeed = 0x0a

/** The lines of a further way follow those of the word. */
export function openDictionary(file: Buffer): Dictionary {
  return {
    waysToSay(word) {
      const ways: [string, string][] = []
      for (let at = startOfLine(file, `${word} `); at >= 0;) {
        const lineEnd = file.indexOf(lineFeed, at)
        const end = lineEnd < 0 ? file.length : lineEnd
        const [name, ...phones] = file.toString('utf8', at, end).trim().split(/\s+/)
        ways.push([name!, phones.join(' ')])
        const further = Buffer.from(`${word}(${ways.length + 1}) `)
        const isThere = file.subarray(end + 1, end + 1 + further.length).equals(further)
        at = isThere ? end + 1 : -1
      }
      return ways
    },
  }
}

/** Negative where no line begins so. */
function startOfLine(file: Buffer, text: string): number {
  const bytes = Buffer.from(text)
  if (file.subarray(0, bytes.length).equals(bytes)) return 0
  const before = file.indexOf(Buffer.from(`\n${text}`))
  return before < 0 ? -1 : before + 1
}
