/** An account that has one of everything: what others must not see, and what erasure removes. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ContentItem } from '../../contract/footage/content.ts'
import { noCorrections } from '../../domain/findings/no-corrections.ts'
import { newRange } from '../../domain/cuts/cut-edit.ts'
import { makeClip } from '../../engine/clips.testing.ts'
import { openRedirectSession } from '../../server/sign-in/session.ts'
import { startWorking } from '../../server/runs/work.ts'
import { payOnPage, saveCard, startCheckout } from './payments.ts'
import type { TestServer, TestUser } from './app.ts'
import { until } from './until.ts'
import { uploadFile } from './upload.ts'
import { jobEnd } from './job-app.ts'
import { emptyReview } from '../../contract/footage/review.ts'

export interface Belongings {
  projectId: string
  binId: string
  cutId: string
  syncId: string
  /** Two items with sound. */
  soundIds: [string, string]
  shareId: string
  shareToken: string
  commentId: string
  batchId: string
  contentId: string
  jobId: string
  fileName: string
  resumableId: string
  webhookId: string
  keyId: string
  key: string
  cardId: string
  receiptId: string
  invoiceNumber: string
  dataExportId: string
  checkoutId: string
  sessionId: string
}

/** Needs a server with the sandbox. */
export async function giveBelongings(server: TestServer, user: TestUser): Promise<Belongings> {
  const { client } = user
  const content = await uploadClip(server.url, user.token)
  await openDoors(server, user)
  const jobId = await runJobs(server, user, content.id)
  const file = await server.ctx.db
    .selectFrom('job_result_files')
    .innerJoin('job_extractors', 'job_extractors.result_id', 'job_result_files.result_id')
    .select('name')
    .where('job_id', '=', jobId)
    .executeTakeFirstOrThrow()
  const { project } = await client.createProject({ body: { name: 'Harbour' } })
  const { bin } = await client.createBin({ params: { id: project.id }, body: { name: 'Day 1' } })
  await client.updateContent({
    params: { id: content.id },
    body: { project_id: project.id, bin_id: bin.id, rating: 4, keywords: ['quay'] },
  })
  const { cut } = await client.createCut({
    body: {
      project_id: project.id,
      name: 'Opening',
      ranges: [newRange({ content_id: content.id, in: 0, out: 12 })],
    },
  })
  const { share, token: shareToken } = await client.createShare({ body: { cut_id: cut.id } })
  const { comment } = await client.addSharedComment({
    params: { token: shareToken },
    query: {},
    body: { name: 'Ines', text: 'Love it', at: 0, version: 1 },
  })
  const soundIds = [
    await uploadSound(server.url, user, 1),
    await uploadSound(server.url, user, 2),
  ] as [string, string]
  const { sync } = await client.createSync({ body: { content_ids: soundIds } })
  const { batch } = await client.createBatch({
    body: { content_ids: [content.id], workflow: 'ffprobe' },
  })
  await client.saveCorrections({
    params: { id: jobId },
    body: {
      ...noCorrections,
      speakers: { names: { 'face-1': 'Edda' }, passages: [] },
      version: 0,
    },
  })
  await client.saveReview({
    params: { id: jobId },
    body: { ...emptyReview, accepted_cut_frames: [3] },
  })
  const { webhook } = await client.createWebhook({
    body: { url: 'https://example.com/hook', events: ['job.completed'] },
  })
  const { apiKey } = await client.createApiKey({ body: { name: 'Ingest' } })
  const { checkout_url: page, session_id: checkoutId } = await startCheckout(server, user)
  await payOnPage(page)
  const params = { id: checkoutId }
  await until(
    () => client.getPaymentSession({ params }),
    ({ status }) => status === 'credited',
  )
  const { transactions } = await client.listBillingHistory({ query: { type: 'credit' } })
  const { sessions } = await client.listSessions()
  const { invoices } = await client.listInvoices()
  const { data_export: archive } = await client.requestDataExport()
  return {
    projectId: project.id,
    binId: bin.id,
    cutId: cut.id,
    syncId: sync.id,
    soundIds,
    shareId: share.id,
    shareToken,
    commentId: comment.id,
    batchId: batch.id,
    contentId: content.id,
    jobId,
    fileName: file.name,
    resumableId: await startResumable(server, user),
    webhookId: webhook.id,
    keyId: apiKey.id,
    key: apiKey.key,
    cardId: await saveCard(server, user),
    receiptId: transactions.find((item) => item.description.includes('package'))?.id ?? '',
    invoiceNumber: invoices[0]?.number ?? '',
    dataExportId: archive.id,
    checkoutId,
    sessionId: sessions[0]?.id ?? '',
  }
}

export async function uploadClip(
  url: string,
  token: string,
  { seconds, size } = { seconds: 2, size: '64x36' },
): Promise<ContentItem> {
  const folder = await mkdtemp(join(tmpdir(), 'cutindex-clip-'))
  const clip = await makeClip(
    folder,
    `-f lavfi -i testsrc2=size=${size}:rate=12:duration=${seconds}
     -c:v libx264 -preset ultrafast clip.mp4`,
  )
  const content = await uploadFile({ url }, token, await readFile(clip))
  await rm(folder, { recursive: true })
  return content
}

export async function uploadSound(url: string, user: TestUser, seed: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cutindex-sound-'))
  const clip = await makeClip(folder, `-f lavfi -i anoisesrc=seed=${seed}:d=2:r=8000 sound.wav`)
  const content = await uploadFile({ url }, user.token, await readFile(clip), `sound-${seed}.wav`)
  await rm(folder, { recursive: true })
  return content.id
}

/** Analyses the clip, and a text that search finds, and returns the id of the clip's job. */
async function runJobs(server: TestServer, user: TestUser, contentId: string): Promise<string> {
  const worker = await startWorking(server.ctx, { slots: 1 })
  const body = { content_id: contentId, workflow: 'ffprobe,thumbnail' }
  const { job } = await user.client.createJob({ body })
  const ids = [job.id, await placeTextJob(server, user)]
  for (const id of ids) await jobEnd(user, id)
  await worker.stop()
  return job.id
}

async function placeTextJob(server: TestServer, user: TestUser): Promise<string> {
  const { token } = user
  const content = await uploadFile(server, token, 'The harbour at dawn.', 'Harbour.txt')
  const placed = await server.fetch('/v1/jobs', {
    method: 'POST',
    token,
    body: JSON.stringify({ content_id: content.id, workflow: 'ffprobe' }),
    headers: { 'content-type': 'application/json', 'idempotency-key': 'harbour' },
  })
  assert.equal(placed.status, 201)
  return ((await placed.json()) as { job: { id: string } }).job.id
}

/** Signs in as a browser does, chooses, and allows a program that has not fetched its token yet. */
async function openDoors(server: TestServer, { accountId, client }: TestUser): Promise<void> {
  const redirect = await openRedirectSession(server.ctx, { accountId, provider: 'github' })
  await server.client(redirect).exchangeToken()
  await client.savePreferences({ body: { mail: { free_credit: true } } })
  const details = { company: '', address: 'Quay 1', country: 'DE', vat_id: '' }
  await client.saveBillingDetails({ body: details })
  const redirectUri = 'http://localhost:8090/callback'
  const program = await client.registerOauthClient({
    body: { client_name: 'Agent', redirect_uris: [redirectUri] },
  })
  await client.allowOauthRequest({
    body: {
      client_id: program.client_id,
      redirect_uri: redirectUri,
      response_type: 'code',
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
      scope: 'search',
      scopes: ['search'],
      monthly_limit_usd: 1,
    },
  })
}

async function startResumable(server: TestServer, user: TestUser): Promise<string> {
  const begun = await server.fetch('/v1/content/resumable', {
    method: 'POST',
    token: user.token,
    headers: { 'tus-resumable': '1.0.0', 'upload-length': '10' },
  })
  return begun.headers.get('location')?.split('/').at(-1) ?? ''
}
