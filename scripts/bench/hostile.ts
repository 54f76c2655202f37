/**
 * `npm run bench -- hostile [SECONDS]`: the 99th percentile of one account's requests while another
 * account uploads 50 hostile documents at once, as a ratio to the same without them. The command
 * fails when it is more than five times as long. Only an idle machine gives a figure that counts.
 */
import { pdf, zip } from '../../engine/documents/files.testing.ts'
import { startApiProcess } from '../../test/support/api-process.ts'
import { startTestServer } from '../../test/support/app.ts'
import { quantile, send } from './load.ts'

const maxRatio = 5
const documents = 50
const perSecond = 100
const paths = ['/v1/user/me', '/v1/jobs?limit=5']

export async function run(args: string[] = []): Promise<void> {
  const seconds = Math.min(120, Number(args[0] ?? 10))
  const server = await startTestServer()
  const api = await startApiProcess(server, { environment: { CHECK_REPLIES: '0' } })
  try {
    const [{ token }, hostile] = [await server.user(), await server.user()]
    const requests = { addresses: paths.map((path) => api.url + path), token, perSecond }
    await send({ ...requests, seconds: 2 })
    const idle = await send({ ...requests, seconds })
    const files = Array.from({ length: documents }, (_, index) => makeHostile(index))
    let isOver = false
    const uploads = Promise.all(files.map((file) => upload(api.url, hostile.token, file))).finally(
      () => (isOver = true),
    )
    const busy: number[] = []
    while (!isOver) busy.push(...(await send({ ...requests, seconds: 1 })))
    const answers = await uploads
    const [idleMs, busyMs] = [quantile(idle, 0.99), quantile(busy, 0.99)]
    const ratio = busyMs / idleMs
    const isMet = ratio <= maxRatio
    console.log(
      `hostile: p99 while ${documents} hostile documents upload / idle p99 = ${ratio.toFixed(1)}` +
        ` (target ≤ ${maxRatio}: ${isMet ? 'met' : 'MISSED'}; ${busyMs.toFixed(1)} ms,` +
        ` idle ${idleMs.toFixed(1)} ms; ${busy.length} requests; answers ${tally(answers)})`,
    )
    if (!isMet) process.exitCode = 1
  } finally {
    await api.stop()
    await server.stop()
  }
}

/** Each differs by a word, so that none is a duplicate. */
function makeHostile(index: number): Buffer {
  const kinds: (() => Buffer)[] = [
    () => zip({ 'word/document.xml': `${index}${'<a>'.repeat(5_000_000)}` }),
    () => zip({ 'word/document.xml': `${index}${'<w:br '.repeat(2_000_000)}` }),
    () => Buffer.from(pdf(Array.from({ length: 2000 }, (_, page) => `${index} ${page}`))),
    () => Buffer.from(`{\\rtf1 ${index}${'\\u8211?'.repeat(1_000_000)}}`),
  ]
  return kinds[index % kinds.length]?.() ?? Buffer.alloc(0)
}

async function upload(url: string, token: string, file: Buffer): Promise<number> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(file)]), 'hostile')
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(`${url}/v1/content/upload`, { method: 'POST', headers, body: form })).status
}

function tally(answers: number[]): string {
  const counts = Map.groupBy(answers, (status) => status)
  return [...counts].map(([status, all]) => `${all.length} × ${status}`).join(', ')
}
