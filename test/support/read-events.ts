/** Reads server-sent events until the stream ends or one is the last that is wanted. */
export interface ReadEvent {
  event: string
  data: unknown
}

export async function readEvents(
  response: Response,
  isLast: (event: ReadEvent) => boolean = () => false,
): Promise<ReadEvent[]> {
  const events: ReadEvent[] = []
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = /^event: (.+)$/m.exec(block)?.[1]
      const data = /^data: (.+)$/m.exec(block)?.[1]
      if (!event || !data) continue
      const read = { event, data: JSON.parse(data) as unknown }
      events.push(read)
      if (isLast(read)) return events
    }
  }
  return events
}
