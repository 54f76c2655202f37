import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ContentItem } from '../../app/answers.ts'
import { addReference } from './add-reference.ts'

function client({ isMoved = true } = {}) {
  const calls: unknown[] = []
  return {
    calls,
    addReference: async ({ body }: { body: unknown }) => {
      calls.push(body)
      return { content: { id: 'new' } as ContentItem }
    },
    moveContent: async ({ body }: { body: unknown }) => {
      calls.push(body)
      if (!isMoved) throw new Error('gone')
    },
  }
}

const place = { project_id: 'project', bin_id: 'bin' }
const body = { url: 'https://example.com/a.mov' }

test('a reference that is added while a project is open comes into that project', async () => {
  const service = client()
  const added = await addReference(service, body, place)
  assert.equal(added.moveError, null)
  assert.deepEqual(service.calls, [body, { content_ids: ['new'], ...place }])
})

test('without a project it is only added', async () => {
  const service = client()
  await addReference(service, body, undefined)
  assert.deepEqual(service.calls, [body])
})

test('one that could not be moved is added all the same', async () => {
  const { content, moveError } = await addReference(client({ isMoved: false }), body, place)
  assert.equal(content.id, 'new')
  assert.match(String(moveError), /gone/)
})
