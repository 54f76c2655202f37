/** The documentation for readers that are programs: Markdown twins of the pages, and llms.txt. */
import { callSnippets } from '../../web/features/docs/call-snippets.ts'
import { readReference } from '../../web/features/docs/openapi.ts'
import {
  checkKeySnippets,
  journeySnippets,
  quoteSnippets,
} from '../../web/features/docs/snippets.ts'
import { api } from '../../contract/api.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { openApiYaml } from '../../server/http/openapi.ts'
import { contractTypes } from './package-types.ts'

/** The article of a rendered page as Markdown. Of examples in several languages, all are shown. */
export function pageMarkdown(html: string): string {
  const article = /<article\b[^>]*>(.*)<\/article>/s.exec(html)?.[1]
  if (article === undefined) throw new Error('The page has no article.')
  return article
    .replaceAll(
      /<div role="group" aria-label="Language".*?<pre\b[^>]*>(.*?)<\/pre>/gs,
      (_, code: string) => `<x>${hold(examplesLike(plain(code)))}</x>`,
    )
    .replaceAll(
      /<pre\b[^>]*>(.*?)<\/pre>/gs,
      (_, code: string) => `<x>${hold(fenced(plain(code)))}</x>`,
    )
    .replaceAll(/<(button|svg)\b.*?<\/\1>/gs, '')
    .replaceAll(/<code\b[^>]*>(.*?)<\/code>/gs, (_, code: string) => `\`${plain(code)}\``)
    .replaceAll(/<a\b[^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs, '[$2]($1)')
    .replaceAll(
      /<h([1-3])\b[^>]*>(.*?)<\/h\1>/gs,
      (_, level: string, text: string) => `\n\n${'#'.repeat(Number(level))} ${plain(text)}\n\n`,
    )
    .replaceAll(/<dt\b[^>]*>(.*?)<\/dt>/gs, '\n\n**$1**\n\n')
    .replaceAll(/<tr\b[^>]*>(.*?)<\/tr>/gs, (_, row: string) => `\n${tableRow(row)}`)
    .replaceAll(/<li\b[^>]*>(.*?)<\/li>/gs, '\n- $1')
    .replaceAll(/<\/(p|ul|ol|table|section|div)>/g, '\n\n')
    .replaceAll(/<x>(\d+)<\/x>/g, (_, index: string) => `\n\n<x>${index}</x>\n\n`)
    .split(/<x>(\d+)<\/x>/)
    .map((part, index) => (index % 2 === 1 ? held[Number(part)] : plain(part)))
    .join('')
    .replaceAll(/[ \t]+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
    .concat('\n')
}

/** The page shows the first language; the others are behind buttons. */
function examplesLike(first: string): string {
  const snippets = [checkKeySnippets, journeySnippets, quoteSnippets].find(
    ([shown]) => shown?.code === first,
  )
  if (!snippets) throw new Error(`No example begins with ${first.slice(0, 80)}`)
  return snippets.map(({ title, code }) => `### ${title}\n\n${fenced(code)}`).join('\n\n')
}

const held: string[] = []

/** Code waits outside until the text around it has lost its tags. */
function hold(text: string): number {
  return held.push(text) - 1
}

function fenced(code: string): string {
  return `\`\`\`\n${code}\n\`\`\``
}

function tableRow(row: string): string {
  const cells = [...row.matchAll(/<t([hd])\b[^>]*>(.*?)<\/t\1>/gs)].map((cell) =>
    plain(cell[2] ?? ''),
  )
  const line = `| ${cells.join(' | ')} |`
  return row.includes('<th') ? `${line}\n|${cells.map(() => '---|').join('')}` : line
}

function plain(html: string): string {
  return html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
}

/** Every call with what goes in and what comes out. */
export function referenceMarkdown(): string {
  const { groups } = readReference(openApiYaml({ publicUrl: '', version: '' }))
  const operations = groups.flatMap((group) => group.operations)
  const calls = Object.entries<Endpoint>(api).map(([name, endpoint]) => {
    const { method, path, summary, description, auth, scope } = endpoint
    const operation = operations.find(({ id }) => id === name)
    const [curl] = operation ? callSnippets(operation) : []
    const body = endpoint.example?.body
    const example = curl?.code ?? (body ? JSON.stringify(body, null, 2) : undefined)
    return [
      `### ${method} /v1${path}`,
      `${summary}.${description ? ` ${description}` : ''}`,
      `Name in the client: \`${name}\`. Who may call it: ${auth}${scope ? `, scope \`${scope}\`` : ''}.`,
      ...(example ? [fenced(example)] : []),
      ...(endpoint.refusals ? [`Refuses with: ${endpoint.refusals.join(', ')}.`] : []),
    ].join('\n\n')
  })
  return `# API reference\n\nThe whole description for machines is [/openapi.yaml](/openapi.yaml).\n\n## Calls\n\n${calls.join('\n\n')}\n\n## Types\n\n\`\`\`ts\n${contractTypes()}\n\`\`\`\n`
}

export function llmsText(publicUrl: string): string {
  return `# CutIndex

> Frame-accurate analysis of video, audio and text for professional editors, paid by the second: shot changes, transcripts, people talking, cut points; exports for editing software. Quotes are free and are a ceiling.

## Docs

- [Developer documentation](${publicUrl}/docs/developer.md): keys, examples, errors, limits, the client, the command line and agents
- [API reference](${publicUrl}/docs/api.md): every call
- [Editing software](${publicUrl}/docs/editors.md): how each editor imports an export
- [OpenAPI](${publicUrl}/openapi.yaml): the same for machines

## Agents

- MCP over HTTP: ${publicUrl}/mcp with an API key as bearer token, or OAuth
- MCP over standard input and output: npx cutindex mcp, with CUTINDEX_API_KEY
`
}
