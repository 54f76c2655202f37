/**
 * The calls of the API reference, in an order in which each can be made once, and an account that
 * has what they are about: the ids of its objects stand for the variables and the ids of the
 * examples.
 */
import assert from 'node:assert/strict'
import { openApiYaml } from '../../server/http/openapi.ts'
import { callSnippets } from '../../web/features/docs/call-snippets.ts'
import { readReference } from '../../web/features/docs/openapi.ts'
import type { Snippet } from '../../web/features/docs/snippets.ts'
import type { TestUser } from './app.ts'

/** They take away what others need. */
const last = [
  'deleteComment',
  'revokeShare',
  'deleteCut',
  'deleteSync',
  'deleteWebhook',
  'cancelBatch',
  'deleteJob',
  'deleteManyContent',
  'deleteContent',
  'deleteBin',
  'deleteProject',
]

export interface ReferenceCall {
  name: string
  code: Record<Snippet['language'], string>
}

export function referenceCalls(): ReferenceCall[] {
  const { groups } = readReference(openApiYaml({ publicUrl: 'http://localhost', version: '1' }))
  const calls = groups
    .flatMap((group) => group.operations)
    .map((operation) => ({ name: operation.id, snippets: callSnippets(operation) }))
    .filter(({ snippets }) => snippets.length > 0)
  const rank = ({ name }: { name: string }): number => last.indexOf(name)
  return calls
    .toSorted((a, b) => rank(a) - rank(b))
    .map(({ name, snippets }) => ({
      name,
      code: Object.fromEntries(
        snippets.map(({ language, code }) => [language, code]),
      ) as ReferenceCall['code'],
    }))
}

export interface Objects {
  /** For every call. */
  variables: Record<string, string>
  /** For one call instead. */
  instead: Partial<Record<string, Record<string, string>>>
  /** Object of the id in the example's body; else the content. */
  exampleIds: Partial<Record<string, string>>
}

/** Everything that the calls are about, around a clip with an analysis that has ended. */
export async function makeObjects(
  given: {
    user: TestUser
    contentId: string
    spareId: string
    jobId: string
    /** Two sounds, and their sync that has ended. */
    soundIds: [string, string]
    syncId: string
  },
  webhookUrl: string,
): Promise<Objects> {
  const { contentId, jobId } = given
  const { client } = given.user
  const { project } = await client.createProject({ body: { name: 'Film' } })
  await client.moveContent({ body: { content_ids: [contentId], project_id: project.id } })
  const { results } = await client.getJobResults({ params: { id: jobId }, query: {} })
  const still = results.thumbnail?.stills[0]?.file
  assert.ok(still)
  const { bin } = await client.createBin({ params: { id: project.id }, body: { name: 'Day 1' } })
  const { cut } = await client.createCut({ body: { project_id: project.id, name: 'Opening' } })
  const { share, token } = await client.createShare({ body: { cut_id: cut.id } })
  const { comment } = await client.addSharedComment({
    params: { token },
    query: {},
    body: { name: 'Ines', text: 'Longer, please.', at: 0, version: cut.version },
  })
  const { webhook } = await client.createWebhook({
    body: { url: webhookUrl, events: ['job.completed'] },
  })
  const order = { content_ids: [contentId], workflow: 'cutpoints' }
  const { batch } = await client.createBatch({ body: order })
  const { job: waiting } = await client.createJob({
    body: { content_id: contentId, workflow: 'talking' },
  })
  const { sync: waitingSync } = await client.createSync({ body: { content_ids: given.soundIds } })
  const [soundId] = given.soundIds
  return {
    variables: {
      CONTENT_ID: contentId,
      PROJECT_ID: project.id,
      JOB_ID: jobId,
      FILE_NAME: still,
      BATCH_ID: batch.id,
      BIN_ID: bin.id,
      CUT_ID: cut.id,
      SYNC_ID: given.syncId,
      SHARE_ID: share.id,
      COMMENT_ID: comment.id,
      WEBHOOK_ID: webhook.id,
    },
    instead: {
      cancelJob: { JOB_ID: waiting.id },
      retryJob: { JOB_ID: waiting.id },
      cancelSync: { SYNC_ID: waitingSync.id },
    },
    exampleIds: {
      createCut: project.id,
      createShare: cut.id,
      quoteSync: soundId,
      createSync: soundId,
      updateSync: soundId,
      getSyncSound: soundId,
      listComments: cut.id,
      deleteManyContent: given.spareId,
    },
  }
}

const exampleId = '3f9c2a1b-6d0e-4b57-9a4e-0c7f5d1e2a34'
const secondExampleId = '7a1d5e02-93b4-4c68-8f10-2b6e4d9c0a57'

/** The code with what a reader puts in: ids and addresses of their own. */
export function withOwn(
  code: string,
  own: { id?: string; secondId?: string; mediaUrl: string; webhookUrl?: string },
): string {
  return code
    .replaceAll(exampleId, own.id ?? exampleId)
    .replaceAll(secondExampleId, own.secondId ?? secondExampleId)
    .replaceAll('https://media.example.com/interview.mov', own.mediaUrl)
    .replaceAll('https://example.com/hooks/cutindex', own.webhookUrl ?? '')
}
