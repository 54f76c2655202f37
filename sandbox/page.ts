/** The look of every page that a person sees here. */
import { answerText } from './http.ts'
import type { Answer } from './http.ts'

/** Text that is already safe HTML. */
export type Html = { readonly html: string }

type Part = string | number | Html | Html[] | undefined

/** Builds HTML from a template; every plain value is escaped. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  const text = strings.reduce((all, piece, index) => {
    return all + piece + (index < parts.length ? render(parts[index]) : '')
  }, '')
  return { html: text }
}

export function answerPage(
  status: number,
  page: { title: string; content: Html; script?: string; embeddable?: boolean; frames?: true },
): Answer {
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${page.title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/sandbox.css" />
        ${page.script === undefined ? undefined : html`<script src="${page.script}" defer></script>`}
      </head>
      <body${page.embeddable === true ? { html: ' class="embedded"' } : undefined}>
        ${page.content}
      </body>
    </html>`
  const answer = answerText(status, document.html, 'text/html')
  return {
    ...answer,
    headers: {
      ...answer.headers,
      'content-security-policy': [
        "default-src 'none'",
        "style-src 'self' 'unsafe-inline'",
        "script-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data:",
        ...(page.frames ? ["frame-src 'self'"] : []),
        "base-uri 'none'",
        page.embeddable === true ? 'frame-ancestors *' : "frame-ancestors 'none'",
      ].join('; '),
      'referrer-policy': 'no-referrer',
    },
  }
}

export const banner = html`<header class="banner">
  <strong>Sandbox:</strong> no real money moves and no real account is used.
</header>`

function render(part: Part): string {
  if (part === undefined) return ''
  if (Array.isArray(part)) return part.map((item) => item.html).join('')
  if (typeof part === 'object') return part.html
  return escapeHtml(String(part))
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
