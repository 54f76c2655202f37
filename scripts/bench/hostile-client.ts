/**
 * The account that uploads hostile documents, in a process of its own as on a machine of its own.
 * Builds them, uploads one of each kind, so that nothing is measured that is done once, and reports
 * that it is ready. Uploads all the others at once when it is told to.
 */
import { once } from 'node:events'
import { pdf, zip } from '../../engine/documents/files.testing.ts'

export interface HostileOrder {
  url: string
  token: string
  documents: number
}

/** Each differs by a word, so that none is a duplicate. */
const kinds: readonly ((index: number) => Buffer)[] = [
  (index) => zip({ 'word/document.xml': `${index}${'<a>'.repeat(5_000_000)}` }),
  (index) => zip({ 'word/document.xml': `${index}${'<w:br '.repeat(2_000_000)}` }),
  (index) => Buffer.from(pdf(Array.from({ length: 2000 }, (_, page) => `${index} ${page}`))),
  (index) => Buffer.from(`{\\rtf1 ${index}${'\\u8211?'.repeat(1_000_000)}}`),
]

process.once('message', (order: HostileOrder) => void serve(order))

async function serve({ url, token, documents }: HostileOrder): Promise<void> {
  const forms = Array.from({ length: documents + kinds.length }, (_, index) =>
    formOf(kinds[index % kinds.length]?.(index) ?? Buffer.alloc(0)),
  )
  const headers = { authorization: `Bearer ${token}` }
  const upload = async (body: FormData): Promise<number> =>
    (await fetch(`${url}/v1/content/upload`, { method: 'POST', headers, body })).status
  for (const form of forms.splice(0, kinds.length)) await upload(form)
  const told = once(process, 'message')
  process.send?.('ready')
  await told
  process.send?.(await Promise.all(forms.map(upload)))
  process.disconnect()
}

function formOf(file: Buffer): FormData {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(file)]), 'hostile')
  return form
}
