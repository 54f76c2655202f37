import type { ContentItem } from '../../app/answers.ts'

interface Client {
  addReference: (input: {
    body: { url: string; name?: string }
  }) => Promise<{ content: ContentItem }>
  moveContent: (input: {
    body: { content_ids: string[]; project_id: string | null }
  }) => Promise<unknown>
}

/** Adds an address to the library, and to a project where one is open; `moveError`: not to that. */
export async function addReference(
  client: Client,
  body: { url: string; name?: string },
  projectId: string | null,
): Promise<{ content: ContentItem; moveError: unknown }> {
  const { content } = await client.addReference({ body })
  if (projectId === null) return { content, moveError: null }
  try {
    await client.moveContent({ body: { content_ids: [content.id], project_id: projectId } })
    return { content, moveError: null }
  } catch (error) {
    return { content, moveError: error }
  }
}
