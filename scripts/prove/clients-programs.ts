/** The programs of `prove:clients`: the same calls, made with each generated client. */

export const course = `
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

export const baseUrl = process.env.CUTINDEX_API ?? ''
export const headers = { Authorization: 'Bearer ' + process.env.CUTINDEX_API_KEY }
export const missing = '3f9c2a1b-6d0e-4b57-9a4e-0c7f5d1e2a34'

export interface Calls {
  upload(file: File): Promise<string>
  count(analysed: 'yes' | 'no'): Promise<number>
  createJob(contentId: string): Promise<string>
  statusOf(jobId: string): Promise<string>
  exportEdl(jobId: string, markers: ('shots' | 'cutpoints')[]): Promise<string>
  /** The status and code of the answer for an item that is not there. */
  readMissing(): Promise<string>
}

export async function run(calls: Calls): Promise<void> {
  const bytes = new Uint8Array(await readFile('clip.mp4'))
  const content = await calls.upload(new File([bytes], 'clip.mp4', { type: 'video/mp4' }))
  assert.deepEqual([await calls.count('no'), await calls.count('yes')], [1, 0])
  const job = await calls.createJob(content)
  let status = ''
  while (!['completed', 'failed', 'canceled'].includes(status)) {
    await wait(200)
    status = await calls.statusOf(job)
  }
  assert.equal(status, 'completed')
  assert.deepEqual([await calls.count('no'), await calls.count('yes')], [0, 1])
  const edl = await calls.exportEdl(job, ['shots', 'cutpoints'])
  assert.match(edl, /^TITLE: /)
  assert.match(edl, /^002 /m)
  assert.equal(await calls.readMissing(), '404 not_found')
  console.log('upload, filter with yes and no, job, EDL as text, error')
}
`

export const clients = {
  'openapi-fetch': `
import createClient from 'openapi-fetch'
import { baseUrl, headers, missing, run } from './course'
import type { paths } from './fetch-schema'

const client = createClient<paths>({ baseUrl, headers })
function good<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}

void run({
  async upload(file) {
    const answer = await client.POST('/v1/content/upload', {
      body: { file: file as unknown as string },
      bodySerializer: () => {
        const form = new FormData()
        form.append('file', file)
        return form
      },
    })
    return good(answer).content.id
  },
  async count(analysed) {
    return good(await client.GET('/v1/content', { params: { query: { analysed } } })).total
  },
  async createJob(contentId) {
    const body = { content_id: contentId, workflow: 'shots' }
    return good(await client.POST('/v1/jobs', { body })).job.id
  },
  async statusOf(id) {
    return good(await client.GET('/v1/jobs/{id}', { params: { path: { id } } })).job.status
  },
  async exportEdl(id, markers) {
    const params = { path: { id }, query: { format: 'edl' as const, markers } }
    const { data } = await client.GET('/v1/jobs/{id}/export', { params, parseAs: 'text' })
    return String(data)
  },
  async readMissing() {
    const params = { path: { id: missing } }
    const { error, response } = await client.GET('/v1/content/{id}', { params })
    return response.status + ' ' + error?.code
  },
})
`,
  'hey-api': `
import { baseUrl, headers, missing, run } from './course'
import { client } from './hey/client.gen'
import { createJob, exportJob, getContent, getJob, listContent, uploadContent } from './hey'

client.setConfig({ baseUrl, headers })
const throwOnError = true

void run({
  async upload(file) {
    return (await uploadContent({ body: { file }, throwOnError })).data.content.id
  },
  async count(analysed) {
    return (await listContent({ query: { analysed }, throwOnError })).data.total
  },
  async createJob(contentId) {
    const body = { content_id: contentId, workflow: 'shots' }
    return (await createJob({ body, throwOnError })).data.job.id
  },
  async statusOf(id) {
    return (await getJob({ path: { id }, throwOnError })).data.job.status
  },
  async exportEdl(id, markers) {
    const { data } = await exportJob({ path: { id }, query: { format: 'edl', markers }, throwOnError })
    return String(data)
  },
  async readMissing() {
    const { error, response } = await getContent({ path: { id: missing } })
    return response?.status + ' ' + error?.code
  },
})
`,
  orval: `
import { headers, missing, run } from './course'
import { createJob, exportJob, getContent, getJob, listContent, uploadContent } from './orval/api'

const options = { headers }

void run({
  async upload(file) {
    const { status, data } = await uploadContent({ file }, undefined, options)
    if (status !== 201) throw new Error(data.message)
    return data.content.id
  },
  async count(analysed) {
    const { status, data } = await listContent({ analysed }, options)
    if (status !== 200) throw new Error(data.message)
    return data.total
  },
  async createJob(contentId) {
    const body = { content_id: contentId, workflow: 'shots' }
    const json = { headers: { ...headers, 'Content-Type': 'application/json' } }
    const { status, data } = await createJob(body, json)
    if (status !== 201) throw new Error(data.message)
    return data.job.id
  },
  async statusOf(id) {
    const { status, data } = await getJob(id, options)
    if (status !== 200) throw new Error(data.message)
    return data.job.status
  },
  async exportEdl(id, markers) {
    const { status, data } = await exportJob(id, { format: 'edl', markers }, options)
    if (status !== 200) throw new Error(data.message)
    return String(data)
  },
  async readMissing() {
    const { status, data } = await getContent(missing, options)
    return status + ' ' + ('code' in data ? data.code : '')
  },
})
`,
}
