/**
 * The accounts that upload hostile documents, in a process and from an address of their own, as on
 * a machine of their own. Builds the documents of a burst before it is asked for it. The first
 * account uploads one of each kind beforehand, so that nothing is measured that is done once.
 */
import { once } from 'node:events'
import { Agent, fetch, FormData } from 'undici'
import { pdf, zip } from '../../../engine/documents/files.testing.ts'

export interface HostileOrder {
  url: string
  /** One for each burst. */
  tokens: string[]
  documents: number
}

/** Also a loopback address, but not the one that everybody else here comes from. */
const elsewhere = new Agent({ connect: { localAddress: '127.0.0.2' } })

/** Each differs by a word, so that none is a duplicate. */
const kinds: readonly ((index: number) => Buffer)[] = [
  (index) => zip({ 'word/document.xml': `${index}${'<a>'.repeat(5_000_000)}` }),
  (index) => zip({ 'word/document.xml': `${index}${'<w:br '.repeat(2_000_000)}` }),
  (index) => Buffer.from(pdf(Array.from({ length: 2000 }, (_, page) => `${index} ${page}`))),
  (index) => Buffer.from(`{\\rtf1 ${index}${'\\u8211?'.repeat(1_000_000)}}`),
]

process.once('message', (order: HostileOrder) => void serve(order))

async function serve({ url, tokens, documents }: HostileOrder): Promise<void> {
  let built = 0
  const makeForms = (count: number): FormData[] =>
    Array.from({ length: count }, () => {
      built += 1
      return formOf(kinds[built % kinds.length]?.(built) ?? Buffer.alloc(0))
    })
  const upload = async (token: string, body: FormData): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` }
    const options = { method: 'POST', headers, body, dispatcher: elsewhere }
    return (await fetch(`${url}/v1/content/upload`, options)).status
  }
  for (const form of makeForms(kinds.length)) await upload(tokens[0] ?? '', form)
  for (const token of tokens) {
    const forms = makeForms(documents)
    const go = once(process, 'message')
    process.send?.('ready')
    await go
    process.send?.(await Promise.all(forms.map((form) => upload(token, form))))
  }
  process.disconnect()
}

function formOf(file: Buffer): FormData {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(file)]), 'hostile')
  return form
}
