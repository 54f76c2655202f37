/**
 * Finds words that a native engineer would write otherwise, and says for each what to write. Lines
 * are read as they stand: a comment is a line that begins as one, or what follows ` // ` in code.
 */

interface Rule {
  pattern: RegExp
  write: string
  /** Files that the rule reads; all without it. */
  files?: RegExp
}

const engine = /^(engine|scripts\/bench\/engine|lab)\//
const screens = /^(web|client|contract|server|engine|sandbox)\/(?!.*\.test\.)/

const inComments: Rule[] = [
  { pattern: /(^\s*(\/\*\*?|\*|\/\/|--)|[.;:])\s+What [^?]*$/, write: 'begin with a verb or noun' },
  {
    pattern: /\/\*\* (Of|(Null|False) where)\b/,
    write: 'name the thing first: "Returns …; null if …", "The share of …"',
  },
  { pattern: /\btold\b(?! apart)/, write: 'reported, said' },
  { pattern: /\bmend(s|ed|ing)?\b/, write: 'fix, restore' },
  { pattern: /\bbur(y|ies|ied)\b/, write: 'expire' },
  { pattern: /\bpictures\b/i, write: 'frames of a video, images in files', files: engine },
]

/** Read in comments and in the texts of screens. */
const anywhere: Rule[] = [
  { pattern: /\bfor ever\b(?!y)/, write: 'forever' },
  { pattern: /\banew\b/, write: 'again' },
  { pattern: /\b(led over|leads over|leading over)\b/, write: 'rescaled, mapped' },
  { pattern: /\b(?<!none )of ours\b/, write: 'our' },
  { pattern: /\b(keeper|one keeper)\b/i, write: 'leader' },
  {
    pattern: /\b(lost|slow|closed|broken|dead) line\b|\bline (is|was) (cut|lost|closed)\b/,
    write: 'connection',
  },
  { pattern: /\bline of IPv6\b/, write: 'a /64 of IPv6' },
  { pattern: /\b[Aa]t the moment\b/, write: 'now' },
  { pattern: /\bof late\b/, write: 'recently' },
]

/** Read in lines of code, without their strings. */
const inCode: Rule[] = [
  {
    pattern:
      /\b(?:const|let|function)\s+(?:[[{](?:[^=;\]}]*[\s,:[{])?)?(one|found|told|made|given|of)\b(?!:)/,
    write: 'name the thing',
  },
  {
    pattern:
      /[(,]\s*(one|found|told|made|given|of)(\??: [^,)]*)?(, \w+|\??: [^,)]*)*\)(: [^={]+)? =>/,
    write: 'name the thing',
  },
  {
    pattern:
      /^(?!\s*(?:import|case)).*[(,]\s*(one|found|told|made|given|of)\??: [A-Za-z{[][^(]*?(?:[,)=]|$)/,
    write: 'name the thing',
  },
  { pattern: /(?<![.\w]|[Aa]t )(most|least)\b(?=\??\s*([=:,;)]|[<>*/+-] ))/, write: 'max, min' },
  { pattern: /\b(?:(most|least)[A-Z](?!quare)\w*|\w+AtMost)\b/, write: 'max, min' },
  {
    pattern: /\b(?:\w*[a-z]Pictures?|[pP]ictures?(?:[A-Z]\w*)?)\b/,
    write: 'frame, image',
    files: engine,
  },
  { pattern: /\bbury\w*|\bburied\b/, write: 'expireLease' },
  { pattern: /\b(?:papers?|\w+Papers?)\b/, write: 'invoice', files: /^(server|contract)\// },
  { pattern: /\b\w*keeper\w*\b/i, write: 'leader' },
  {
    pattern: /\b(?:RowsAlong|findAlong|beginAgain|keepWhole|firstWordsFirst|unworded|ledOver)\b/,
    write: 'see section 3 of the review',
  },
  { pattern: /\bmend(ed|ing)?\b/, write: 'fix, restore' },
]

/** Read in lines of code with their strings: names of tests, sentences on screens. */
const inTexts: Rule[] = [
  { pattern: /\b(?:test|it)\(\s*['"`]what /i, write: 'begin the name of a test with its subject' },
  {
    pattern: /(['"`>]|\. )What [a-z][^?'"`<]*\.(['"`<]|$)/,
    write: 'begin the sentence with a noun or a verb',
    files: screens,
  },
]

const maxColumns = 100
const maxLinesOfComment = 8

/** Code is wrapped by the formatter, except where a string cannot be; these it leaves alone. */
const isUnformatted = (file: string): boolean => /\.(sql|py|css)$/.test(file)

export function wordFaults(file: string, source: string): string[] {
  const faults: string[] = []
  const lines = source.split('\n')
  let commentStart: number | null = null
  for (const [index, line] of lines.entries()) {
    const at = `${file}:${index + 1}`
    if (commentStart === null && /^\s*(\{?\/\*)/.test(line)) commentStart = index
    const isComment = commentStart !== null || /^\s*(\/\/|--|#)/.test(line)
    const trailing = isComment ? line : (/(?<=[;{},)\]\w] )\/\/ .*$/.exec(line)?.[0] ?? '')
    const check = (rules: readonly Rule[], part: string): void => {
      for (const { pattern, write, files } of rules) {
        const hit = files === undefined || files.test(file) ? pattern.exec(part) : null
        if (hit) faults.push(`${at}: "${hit[0].trim().slice(0, 40)}": ${write}`)
      }
    }
    if (trailing !== '') check(inComments, trailing)
    check(anywhere, line)
    if (!isComment && /\.tsx?$/.test(file)) {
      check(inCode, withoutStrings(line))
      check(inTexts, line)
    }
    if (
      line.length > maxColumns &&
      (isComment || isUnformatted(file)) &&
      !line.includes('oxlint-disable')
    ) {
      faults.push(`${at}: ${line.length} columns: at most ${maxColumns}`)
    }
    if (commentStart !== null && line.includes('*/')) {
      const length = index - commentStart - 1
      const isHead = lines
        .slice(0, commentStart)
        .every((above) => /^(import .*|#!.*|)$/.test(above))
      if (!isHead && length > maxLinesOfComment) {
        faults.push(`${at}: a comment of ${length} lines: at most ${maxLinesOfComment}`)
      }
      commentStart = null
    }
  }
  return faults
}

/** Blanks strings, text between tags and comments at the end; names inside `${}` stay. */
function withoutStrings(line: string): string {
  return line
    .replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, "''")
    .replaceAll(/`[^`]*`/g, (text) =>
      [...text.matchAll(/\$\{([^}]*)\}/g)].map((m) => m[1]).join(' '),
    )
    .replace(/(?<=[;{},)\]\w] )\/\/ .*$/, '')
    .replaceAll(/>[^<>{}=]*<\//g, '></')
}
