/** Whatever is another account's answers as what is not there, to everybody and at every door. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { api } from '../../contract/api.ts'
import type { ApiClient, EndpointName } from '../../contract/api.ts'
import { noCorrections } from '../../domain/findings/no-corrections.ts'
import { addressOf } from '../../contract/endpoint.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { giveBelongings, uploadClip, uploadSound } from '../support/fixtures.ts'
import type { Belongings } from '../support/fixtures.ts'
import { secondIdCalls, secondIds } from '../support/second-ids.ts'
import type { SecondOwner, Target } from '../support/second-ids.ts'
import { startTestServer } from '../support/app.ts'
import type { TestUser } from '../support/app.ts'
import { use } from '../support/use.ts'
import { emptyReview } from '../../contract/footage/review.ts'

const server = use(() => startTestServer({ sandbox: true }))
const owner = use(() => server.user('owner@example.com'))
const stranger = use(() => server.user('stranger@example.com'))
let things: Belongings
let strangerKey: string
/** The stranger's, and the owner's own: objects of test and live never mix. */
let testKeys: { stranger: string; owner: string }
let tickets: Record<string, string>

before(async () => {
  things = await giveBelongings(server, owner)
  strangerKey = (await stranger.client.createApiKey({ body: { name: 'Mine' } })).apiKey.key
  const makeTestKey = async ({ client }: TestUser): Promise<string> =>
    (await client.createApiKey({ body: { name: 'CI', mode: 'test' } })).apiKey.key
  testKeys = { stranger: await makeTestKey(stranger), owner: await makeTestKey(owner) }
  tickets = await issueTickets()
})

const tus = { 'tus-resumable': '1.0.0' }

/** How each endpoint that takes an id is asked for these things, or for ones that do not exist. */
function targets(belongings: Belongings): Partial<Record<EndpointName, Target>> {
  const content = { params: { id: belongings.contentId } }
  const job = { params: { id: belongings.jobId } }
  const project = { params: { id: belongings.projectId } }
  const bin = { params: { id: belongings.binId } }
  const cut = { params: { id: belongings.cutId } }
  const timeline = {
    name: 'Taken',
    frame_rate: '25',
    drop_frame: false,
    start_timecode: '01:00:00:00',
    target_seconds: null,
    ranges: [],
  }
  const webhook = { params: { id: belongings.webhookId } }
  const resumable = { params: { id: belongings.resumableId }, headers: tus }
  const workflow = 'ffprobe'
  return {
    endSession: { params: { id: belongings.sessionId } },
    getReceipt: { params: { id: belongings.receiptId } },
    getInvoice: { params: { number: belongings.invoiceNumber } },
    downloadInvoice: { params: { number: belongings.invoiceNumber } },
    downloadDataExport: { params: { id: belongings.dataExportId }, query: { token: 'x' } },
    getPaymentSession: { params: { id: belongings.checkoutId } },
    setDefaultPaymentMethod: { params: { id: belongings.cardId } },
    deletePaymentMethod: { params: { id: belongings.cardId } },
    getProject: project,
    listProjectSelects: project,
    updateProject: { ...project, body: { name: 'Taken' } },
    deleteProject: project,
    listBins: { query: { project_id: belongings.projectId } },
    createBin: { ...project, body: { name: 'Taken' } },
    ensureBins: { ...project, body: { paths: ['Taken'] } },
    updateBin: { ...bin, body: { name: 'Taken' } },
    deleteBin: bin,
    listCuts: { query: { project_id: belongings.projectId } },
    createCut: { body: { name: 'Taken', project_id: belongings.projectId } },
    getCut: cut,
    listCutVersions: cut,
    saveCut: { ...cut, body: { ...timeline, version: 1 } },
    deleteCut: cut,
    getCutTranscript: cut,
    createCutTicket: cut,
    exportCut: { ...cut, query: { format: 'json' } },
    quoteSync: { body: { content_ids: [belongings.contentId, belongings.soundIds[0]] } },
    createSync: { body: { content_ids: [belongings.contentId, belongings.soundIds[0]] } },
    getSync: { params: { id: belongings.syncId } },
    updateSync: { params: { id: belongings.syncId }, body: { name: 'Taken' } },
    cancelSync: { params: { id: belongings.syncId } },
    deleteSync: { params: { id: belongings.syncId } },
    exportSync: { params: { id: belongings.syncId }, query: { format: 'csv' } },
    getSyncSound: {
      params: { id: belongings.syncId },
      query: { content_id: belongings.soundIds[0], start: '0', seconds: '1' },
    },
    createShare: { body: { cut_id: belongings.cutId } },
    listShares: { query: { cut_id: belongings.cutId } },
    revokeShare: { params: { id: belongings.shareId } },
    listComments: { query: { cut_id: belongings.cutId } },
    replyToComment: { params: { id: belongings.commentId }, body: { text: 'Taken' } },
    updateComment: { params: { id: belongings.commentId }, body: { done: true } },
    deleteComment: { params: { id: belongings.commentId } },
    getBatch: { params: { id: belongings.batchId } },
    cancelBatch: { params: { id: belongings.batchId } },
    createBatch: { body: { content_ids: [belongings.contentId], workflow } },
    quoteBatch: { body: { content_ids: [belongings.contentId], workflow } },
    updateContent: { ...content, body: { file_name: 'Taken.mp4' } },
    moveContent: { body: { content_ids: [belongings.contentId], project_id: null } },
    markContent: { body: { content_ids: [belongings.contentId], rating: -1 } },
    exportManyContent: { body: { content_ids: [belongings.contentId], format: 'json' } },
    deleteManyContent: { body: { content_ids: [belongings.contentId] } },
    getContent: content,
    deleteContent: content,
    createDownloadTicket: content,
    downloadContent: content,
    createPlayTicket: content,
    playContent: content,
    createPlayback: { ...content, body: {} },
    getPlaybackList: content,
    getPlaybackFragment: { params: { ...content.params, position: '0' } },
    getClipReview: content,
    saveClipReview: { ...content, body: emptyReview },
    getContentThumbnail: content,
    continueResumableUpload: {
      params: resumable.params,
      headers: {
        ...tus,
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      },
    },
    getResumableUpload: resumable,
    cancelResumableUpload: resumable,
    updateApiKey: { params: { id: belongings.keyId }, body: { name: 'Taken' } },
    updateWebhook: { ...webhook, body: { description: 'Taken' } },
    deleteWebhook: webhook,
    rotateWebhookSecret: webhook,
    testWebhook: webhook,
    listWebhookDeliveries: webhook,
    redeliverWebhook: { ...webhook, body: { since: '2025-01-01T00:00:00.000Z' } },
    deleteApiKey: { query: { keyId: belongings.keyId } },
    deleteApiKeyById: { params: { id: belongings.keyId } },
    quoteJob: { body: { content_id: belongings.contentId, workflow } },
    createJob: { body: { content_id: belongings.contentId, workflow } },
    getJob: job,
    cancelJob: job,
    retryJob: job,
    deleteJob: job,
    getJobResults: job,
    getTranscriptSoFar: job,
    getReview: job,
    saveReview: { ...job, body: emptyReview },
    getCorrections: job,
    renameSpeaker: { ...project, body: { from: 'face-1', to: 'Anna' } },
    saveCorrections: { ...job, body: { ...noCorrections, version: 0 } },
    exportJob: { ...job, query: { format: 'json' } },
    createFileTicket: job,
    getJobFile: { params: { id: belongings.jobId, name: belongings.fileName } },
    watchJob: job,
    listJobs: { query: { content_id: belongings.contentId } },
    search: { query: { q: 'clip', content_id: belongings.contentId } },
  }
}

function absent(): Belongings {
  const names = Object.keys(things) as (keyof Belongings)[]
  const ids = Object.fromEntries(names.map((name) => [name, randomUUID()]))
  return {
    ...(ids as unknown as Belongings),
    fileName: things.fileName,
    soundIds: [randomUUID(), randomUUID()],
    invoiceNumber: 'CI-2020-999999',
  }
}

async function issueTickets(): Promise<Record<string, string>> {
  const { url } = await owner.client.createDownloadTicket({ params: { id: things.contentId } })
  const playing = await owner.client.createPlayTicket({ params: { id: things.contentId } })
  const { content } = await owner.client.getContent({ params: { id: things.contentId } })
  const ofFiles = await owner.client.createFileTicket({ params: { id: things.jobId } })
  const ofCut = await owner.client.createCutTicket({ params: { id: things.cutId } })
  const ticketOf = (address: string): string => new URL(address).searchParams.get('ticket') ?? ''
  return {
    download: ticketOf(url),
    play: ticketOf(playing.url),
    thumbnail: content.thumbnail_url === null ? '' : ticketOf(content.thumbnail_url),
    'job-files': ofFiles.ticket,
    'cut-files': ofCut.ticket,
  }
}

async function ask(
  name: EndpointName,
  target: Target,
  caller: { token?: string; ticket?: string },
): Promise<{ status: number; body: string }> {
  const endpoint: Endpoint = api[name]
  const query = { ...target.query, ...(caller.ticket ? { ticket: caller.ticket } : {}) }
  const address = addressOf('', endpoint, { ...target, query })
  const stop = new AbortController()
  const answer = await server.fetch(address, {
    method: endpoint.method,
    signal: stop.signal,
    ...(caller.token ? { token: caller.token } : {}),
    headers: { ...(target.body ? { 'content-type': 'application/json' } : {}), ...target.headers },
    ...(target.body ? { body: JSON.stringify(target.body) } : {}),
    ...(name === 'continueResumableUpload' ? { body: new Uint8Array(3) } : {}),
    ...(name === 'uploadContent' ? { body: textFile() } : {}),
  })
  if (answer.headers.get('content-type')?.startsWith('text/event-stream')) {
    stop.abort()
    return { status: answer.status, body: 'events' }
  }
  const body = (await answer.text())
    .replace(/"request_id":"[^"]*"/, '')
    .replace(/"content_id":"[^"]*"/, '')
  return { status: answer.status, body }
}

function textFile(): FormData {
  const form = new FormData()
  form.set('file', new Blob([randomUUID()]), 'Notes.txt')
  return form
}

test('every endpoint that takes an id is in the matrix', () => {
  const taking = Object.entries<Endpoint>(api)
    // A link's token is itself the right to look.
    .filter(([, endpoint]) => !endpoint.path.includes('{token}'))
    .filter(([, endpoint]) => /\{(id|name|number)\}/.test(endpoint.path))
    .map(([name]) => name)
  const asked = new Set(Object.keys(targets(things)))
  assert.deepEqual(
    taking.filter((name) => !asked.has(name)),
    [],
  )
})

/** Lists, and calls for many items, answer with what there is for this account: nothing. */
const answersAnyway = [
  'listBins',
  'listCuts',
  'listShares',
  'listComments',
  'listJobs',
  'search',
  'quoteBatch',
  'moveContent',
  'markContent',
  'deleteManyContent',
]

test('another account, with a session or a key, and nobody see what a missing thing shows', async () => {
  const callers = {
    session: { token: stranger.token },
    key: { token: strangerKey },
    'test key': { token: testKeys.stranger },
    'the owner’s test key': { token: testKeys.owner },
    nobody: {},
  }
  const differing: string[] = []
  for (const [name, target] of Object.entries(targets(things)) as [EndpointName, Target][]) {
    const missing = targets(absent())[name] ?? {}
    for (const [who, caller] of Object.entries(callers)) {
      const there = await ask(name, target, caller)
      const gone = await ask(name, missing, caller)
      const isSame = there.status === gone.status && there.body === gone.body
      if (!isSame) differing.push(`${who} ${name}: ${there.status} against ${gone.status}`)
      if (!answersAnyway.includes(name) && there.status < 400)
        differing.push(`${who} ${name}: ${there.status}`)
    }
  }
  assert.deepEqual(differing, [])
})

/** Enough of the stranger's own to fill every other field of a request with. */
async function giveStrangerThings(): Promise<SecondOwner> {
  const { client, token } = stranger
  const { id: contentId } = await uploadClip(server.url, token)
  const soundIds = [
    await uploadSound(server.url, stranger, 3),
    await uploadSound(server.url, stranger, 4),
  ] as [string, string]
  const { project } = await client.createProject({ body: { name: 'Mine' } })
  const { bin } = await client.createBin({ params: { id: project.id }, body: { name: 'Mine' } })
  const { cut } = await client.createCut({ body: { project_id: project.id, name: 'Mine' } })
  const { job } = await client.createJob({ body: { content_id: contentId, workflow: 'ffprobe' } })
  const { sync } = await client.createSync({ body: { content_ids: soundIds } })
  // Items of a sync can be placed once it is over.
  await server.ctx.pool.query(
    `update jobs set status = 'completed', finished_at = now() where id = $1`,
    [sync.id],
  )
  await client.updateSync({
    params: { id: sync.id },
    body: { items: [{ content_id: soundIds[0], offset: '0/1' }] },
  })
  const { webhook } = await client.createWebhook({
    body: { url: 'https://example.com/mine', events: ['job.completed'] },
  })
  const params = { id: webhook.id }
  const { delivery_id: deliveryId } = await client.testWebhook({ params })
  return {
    contentId,
    soundIds,
    projectId: project.id,
    binId: bin.id,
    cutId: cut.id,
    jobId: job.id,
    syncId: sync.id,
    webhookId: webhook.id,
    deliveryId,
  }
}

test('an id of another account in one field of an otherwise own request is a missing one', async () => {
  const own = await giveStrangerThings()
  const hook = { params: { id: things.webhookId } }
  const { delivery_id: deliveryId } = await owner.client.testWebhook(hook)
  const { token } = await owner.client.createShare({ body: { job_id: things.jobId } })
  await owner.client.addSharedComment({
    params: { token },
    query: {},
    body: { name: 'Ines', text: 'Between us', at: 0, version: 1 },
  })
  const calls = secondIdCalls(own, { ...things, deliveryId })
  assert.deepEqual(Object.keys(calls).sort(), secondIds())
  const wrong: string[] = []
  for (const [field, { call, own: mine, foreign, isList }] of Object.entries(calls)) {
    const name = field.split(' ')[0] as EndpointName
    const caller = { token: stranger.token }
    const answers = async (id: string): Promise<{ status: number; body: string }> => {
      const { status, body } = await ask(name, call(id), caller)
      return { status, body: body.replaceAll(id, 'the id') }
    }
    const there = await answers(foreign)
    const gone = await answers(randomUUID())
    if (there.status !== gone.status || there.body !== gone.body) {
      wrong.push(`${field}: ${there.status} ${there.body} against ${gone.status} ${gone.body}`)
    }
    if (!isList && (there.status < 400 || there.status >= 500)) {
      wrong.push(`${field}: ${there.status} ${there.body}`)
    }
    // Else something other than the id may have been refused.
    const good = mine === null ? null : await answers(mine)
    if (good && good.status >= 300) wrong.push(`${field} of one's own: ${good.status} ${good.body}`)
  }
  assert.deepEqual(wrong, [])
})

test('a ticket opens its one object for its one purpose', async () => {
  const own = targets(things)
  const other = targets(absent())
  const taking = [
    'downloadContent',
    'playContent',
    'getContentThumbnail',
    'exportJob',
    'getJobFile',
    'exportCut',
  ] as const
  for (const name of taking) {
    const endpoint: Endpoint = api[name]
    for (const [scope, ticket] of Object.entries(tickets)) {
      const opened = await ask(name, own[name] ?? {}, { ticket })
      assert.equal(opened.status, scope === endpoint.ticket ? 200 : 401, `${name} with ${scope}`)
      const elsewhere = await ask(name, other[name] ?? {}, { ticket })
      assert.equal(elsewhere.status, 401, `${name} of another object with ${scope}`)
    }
  }
  const [payload = '', signature = ''] = (tickets.download ?? '').split('.')
  const text = Buffer.from(payload, 'base64url').toString()
  const later = text.replace(/\.\d{10}\./, '.9999999999.')
  assert.notEqual(later, text)
  for (const forged of [
    `${Buffer.from(later).toString('base64url')}.${signature}`,
    `${payload}.${signature.slice(0, -1)}`,
    `${payload}.`,
    payload,
  ]) {
    const answer = await ask('downloadContent', own.downloadContent ?? {}, { ticket: forged })
    assert.equal(answer.status, 401)
  }
})

test('the lists of another account hold nothing of it', async () => {
  const { client } = stranger
  const seen = JSON.stringify([
    await client.listContent({ query: {} }),
    await client.listJobs({ query: {} }),
    await client.listCuts({ query: {} }),
    await client.listShares({ query: {} }),
    await client.listBillingHistory({ query: {} }),
    await client.listApiKeys(),
    await client.listWebhooks(),
    await client.listAudit({ query: {} }),
    await client.listSessions(),
    await client.listPaymentMethods(),
    await client.search({ query: { q: 'clip' } }),
    await client.getMe(),
    await client.getBillingStats(),
  ])
  for (const id of Object.values(things)) assert.ok(!seen.includes(id), id)
})

test('the owner’s test key lists nothing of the live account, nor does the account list its own', async () => {
  const client = server.client(testKeys.owner)
  const listAll = async (from: ApiClient): Promise<string> =>
    JSON.stringify([
      await from.listContent({ query: {} }),
      await from.listJobs({ query: {} }),
      await from.listBatches({ query: {} }),
      await from.listProjects(),
      await from.listCuts({ query: {} }),
      await from.listWebhooks(),
      await from.search({ query: { q: 'clip' } }),
    ])
  const seen = await listAll(client)
  for (const id of Object.values(things)) assert.ok(!seen.includes(id), id)
  const { project } = await client.createProject({ body: { name: 'Rehearsal' } })
  const { webhook } = await client.createWebhook({
    body: { url: 'https://example.com/test', events: ['job.completed'] },
  })
  const live = await listAll(owner.client)
  for (const id of [project.id, webhook.id]) assert.ok(!live.includes(id), id)
  await assert.rejects(owner.client.getProject({ params: { id: project.id } }), { status: 404 })
})

test('the owner still has everything, and sees it', async () => {
  const reads = [
    'getReceipt',
    'getPaymentSession',
    'getContent',
    'getJob',
    'getJobResults',
    'getCut',
    'getCutTranscript',
  ] as const
  for (const name of reads) {
    const answer = await ask(name, targets(things)[name] ?? {}, { token: owner.token })
    assert.equal(answer.status, 200, name)
  }
  const { paymentMethods } = await owner.client.listPaymentMethods()
  assert.equal(paymentMethods[0]?.id, things.cardId)
  assert.equal((await server.client(things.key).getMe()).email, owner.email)
  const upload = await ask('getResumableUpload', targets(things).getResumableUpload ?? {}, {
    token: owner.token,
  })
  assert.equal(upload.status, 200)
})
