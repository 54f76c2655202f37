import type { Place } from '../../../contract/footage/content.ts'
import type { ContentItem } from '../../app/answers.ts'

interface Client {
  addReference: (input: {
    body: { url: string; name?: string }
  }) => Promise<{ content: ContentItem }>
  moveContent: (input: { body: Place & { content_ids: string[] } }) => Promise<unknown>
}

/** Adds an address to the library, and to a project where one is open; `moveError`: not to that. */
export async function addReference(
  client: Client,
  body: { url: string; name?: string },
  place: Place | undefined,
): Promise<{ content: ContentItem; moveError: unknown }> {
  const { content } = await client.addReference({ body })
  if (!place?.project_id) return { content, moveError: null }
  try {
    await client.moveContent({ body: { content_ids: [content.id], ...place } })
    return { content, moveError: null }
  } catch (error) {
    return { content, moveError: error }
  }
}
