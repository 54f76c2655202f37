/** Finds words and sentences that a native engineer would write otherwise. */

/** Says what to write instead of a pattern in a comment. */
const inComments: [RegExp, string][] = [
  [/(?:\/\*\*|\/\/|^\s*\*)\s+What [^.?]*(?:\.|$)/m, 'begin with a verb or a noun, not with "What"'],
  [/\bfor ever\b/, 'forever'],
  [/\banew\b/, 'again'],
  [/\bled over\b/, 'rescaled, mapped'],
  [/\bof ours\b/, 'our'],
  [/\btold\b/, 'reported, said'],
  [/\bmended\b/, 'fixed'],
]

/** Names that say nothing of the thing. */
const emptyName =
  /\b(?:const|let|function) (one|found|told|made|given|of)\b|[(,]\s*(one|found|told|made|given|of)\??:/

const maxColumns = 100
const maxLinesOfComment = 8

export function wordFaults(file: string, source: string): string[] {
  const faults: string[] = []
  const lines = source.split('\n')
  let commentStart: number | null = null
  for (const [index, line] of lines.entries()) {
    const at = `${file}:${index + 1}`
    if (/^\s*\/\*/.test(line)) commentStart = index
    const isComment = commentStart !== null || /^\s*\/\//.test(line)
    if (isComment) {
      for (const [pattern, advice] of inComments)
        if (pattern.test(line)) faults.push(`${at}: ${advice}`)
      if (line.length > maxColumns) faults.push(`${at}: ${line.length} columns`)
    } else {
      const name = emptyName.exec(line)
      if (name) faults.push(`${at}: name what "${name[1] ?? name[2]}" is`)
    }
    if (commentStart !== null && line.includes('*/')) {
      const isHead = commentStart < 2
      if (!isHead && index - commentStart - 1 > maxLinesOfComment) {
        faults.push(`${at}: a comment of ${index - commentStart - 1} lines`)
      }
      commentStart = null
    }
  }
  return faults
}
