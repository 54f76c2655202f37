/**
 * The two forms of an e-mail, from the same parts. Every value is plain text and is escaped; the
 * HTML follows the reader's light or dark theme.
 */
import type { MailContent } from './content.ts'

export interface Rendered {
  subject: string
  text: string
  html: string
}

export function renderMail(
  content: MailContent,
  links: { site: string; /** Absent: the message was asked for. */ unsubscribe?: Unsubscribe },
): Rendered {
  const subject = oneLine(content.subject).slice(0, 200)
  const address = content.action && new URL(content.action.path, links.site).href
  return {
    subject,
    text: textOf(content, { address, ...links }),
    html: htmlOf({ ...content, subject }, { address, ...links }),
  }
}

interface Unsubscribe {
  name: string
  url: string
}

interface Links {
  site: string
  address: string | undefined
  unsubscribe?: Unsubscribe
}

function textOf(content: MailContent, links: Links): string {
  const parts = [
    ...content.lines.map(oneLine),
    content.facts?.map(([label, value]) => `${label}: ${oneLine(value)}`).join('\n'),
    content.action && `${content.action.label}: ${links.address}`,
    content.closing && oneLine(content.closing),
    '-- ',
    `CutIndex, ${links.site}`,
    links.unsubscribe &&
      `Unsubscribe from “${links.unsubscribe.name}” e-mails: ${links.unsubscribe.url}`,
  ]
  return `${parts.filter((part) => part !== undefined).join('\n\n')}\n`
}

/** Mail programs know no variables and no oklch; these are the ocean preset's colours in hex. */
const styles = `
body { margin: 0; padding: 24px 12px; background: #f7f9fa; color: #12191e; font: 16px/1.5 Geist, system-ui, -apple-system, 'Segoe UI', Arial, sans-serif; }
.sheet { max-width: 560px; margin: 0 auto; padding: 28px; background: #ffffff; border: 1px solid #dbe1e5; border-radius: 12px; }
.brand { margin: 0 0 20px; font-weight: 650; letter-spacing: -0.01em; color: #00778c; }
h1 { margin: 0 0 12px; font-size: 21px; line-height: 1.3; letter-spacing: -0.015em; overflow-wrap: anywhere; }
p { margin: 0 0 12px; overflow-wrap: anywhere; }
table { width: 100%; margin: 16px 0; border-collapse: collapse; }
th, td { padding: 9px 0; border-top: 1px solid #dbe1e5; text-align: left; vertical-align: top; font-weight: 400; overflow-wrap: anywhere; }
th { width: 38%; padding-right: 12px; color: #4a545a; }
td { text-align: right; font-variant-numeric: tabular-nums; }
.action { margin: 22px 0 16px; }
.action a { display: inline-block; padding: 11px 20px; border-radius: 8px; background: #00778c; color: #ffffff; font-weight: 600; text-decoration: none; }
.foot { max-width: 560px; margin: 16px auto 0; color: #5f6a71; font-size: 13px; }
.foot a { color: inherit; }
@media (prefers-color-scheme: dark) {
  body { background: #06090b; color: #eff2f4; }
  .sheet { background: #0d1215; border-color: #22292d; }
  .brand { color: #22c3e0; }
  th, td { border-color: #22292d; }
  th { color: #aab4ba; }
  .action a { background: #22c3e0; color: #051317; }
  .foot { color: #8d979d; }
}`

function htmlOf(content: MailContent, links: Links): string {
  const facts = (content.facts ?? []).map(
    ([label, value]) => `<tr><th scope="row">${escape(label)}</th><td>${escape(value)}</td></tr>`,
  )
  const stop = links.unsubscribe
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escape(content.subject)}</title>
<style>${styles}
</style>
</head>
<body>
<main class="sheet">
<p class="brand">CutIndex</p>
<h1>${escape(content.subject)}</h1>
${content.lines.map((line) => `<p>${escape(line)}</p>`).join('\n')}
${facts.length > 0 ? `<table>${facts.join('\n')}</table>` : ''}
${content.action ? `<p class="action"><a href="${escape(links.address ?? '')}">${escape(content.action.label)}</a></p>` : ''}
${content.closing ? `<p>${escape(content.closing)}</p>` : ''}
</main>
<footer class="foot">
<p>CutIndex, <a href="${escape(links.site)}">${escape(links.site)}</a>${
    stop
      ? `<br><a href="${escape(stop.url)}">Unsubscribe from “${escape(stop.name)}” e-mails</a>`
      : ''
  }</p>
</footer>
</body>
</html>
`
}

function escape(text: string): string {
  return oneLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** Nothing that a person typed may begin a line or a header of its own. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}
