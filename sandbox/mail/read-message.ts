import PostalMime from 'postal-mime'

/** Reads a message as a mail program does. `raw` holds one character for each byte. */
export async function readMessage(raw: string) {
  const {
    headers,
    subject = '',
    text = '',
    html = '',
  } = await PostalMime.parse(Buffer.from(raw, 'latin1'))
  const header = (key: string): string => headers.find((item) => item.key === key)?.value ?? ''
  return {
    headers: headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    subject,
    from: header('from'),
    to: header('to'),
    text,
    html,
  }
}
