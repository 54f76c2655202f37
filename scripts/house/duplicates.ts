/** Finds runs of lines that stand twice in the tree, whatever their indentation. */

const minLines = 6

interface Line {
  text: string
  number: number
}

/** One entry for each run: where it stands again, how long it is, and where it stood first. */
export function duplicates(sources: ReadonlyMap<string, string>): string[] {
  const firstPlaces = new Map<string, { file: string; number: number }>()
  const runs: string[] = []
  for (const [file, source] of sources) {
    const lines = significantLines(source)
    let run: { start: number; end: number; first: string } | null = null
    const close = (): void => {
      if (run) {
        const place = `${file}:${lines[run.start]!.number}`
        runs.push(`${place}: ${run.end - run.start} lines as in ${run.first}`)
      }
      run = null
    }
    for (let at = 0; at + minLines <= lines.length; at += 1) {
      const window = lines.slice(at, at + minLines)
      const key = window.map(({ text }) => text).join('\n')
      const first = firstPlaces.get(key)
      if (!first) firstPlaces.set(key, { file, number: lines[at]!.number })
      if (first && run) run.end = at + minLines
      else if (first)
        run = { start: at, end: at + minLines, first: `${first.file}:${first.number}` }
      // Windows that overlap belong to one run; a new one begins behind its last line.
      else if (run && at >= run.end) close()
    }
    close()
  }
  return runs
}

/** Lines of code without imports, comments, blank lines and lone brackets. */
function significantLines(source: string): Line[] {
  return source
    .replaceAll(/^import\b[\s\S]*?(?:from )?'[^']+'$/gm, (text) => text.replaceAll(/[^\n]/g, ''))
    .split('\n')
    .map((line, index) => ({ text: line.trim(), number: index + 1 }))
    .filter(({ text }) => /\w/.test(text) && !/^(\/?\*|\/\/|#|--)/.test(text))
}
