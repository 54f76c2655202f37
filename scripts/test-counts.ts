/** A reporter for `node:test` that writes the counts of a finished file as one line of JSON. */
export default async function* countTests(
  events: AsyncIterable<{ type: string; data: unknown }>,
): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type === 'test:summary') {
      yield JSON.stringify((event.data as { counts: object }).counts)
    }
  }
}
