/** Ids that a request takes beside its path's, each sent alone from another account. */
import * as z from 'zod'
import { api } from '../../contract/api.ts'
import { newRange } from '../../domain/cuts/cut-edit.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Belongings } from './fixtures.ts'

export interface Target {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: Record<string, unknown>
  headers?: Record<string, string>
}

export interface SecondOwner {
  contentId: string
  soundIds: [string, string]
  projectId: string
  binId: string
  cutId: string
  jobId: string
  syncId: string
  webhookId: string
  deliveryId: string
}

/** Fields that hold an id of no account's. */
const ofNobody = [
  'readOauthRequest query.client_id',
  'allowOauthRequest body.client_id',
  // A link's token is itself the right to look.
  'addSharedComment body.reply_to',
  // Made by the client.
  'createCut body.ranges[].id',
  'saveCut body.ranges[].id',
  'saveReview body.selects[].id',
  'saveClipReview body.selects[].id',
]

interface JsonSchema {
  format?: string
  $ref?: string
  $defs?: Record<string, JsonSchema>
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  allOf?: JsonSchema[]
  oneOf?: JsonSchema[]
}

/** Where a schema takes an id, such as `body.ranges[].content_id`. */
function idFields(schema: JsonSchema, path: string, defs = schema.$defs ?? {}): string[] {
  if (schema.format === 'uuid') return [path]
  const { $ref, properties = {}, items, anyOf = [], allOf = [], oneOf = [] } = schema
  const named = $ref ? defs[$ref.replace('#/$defs/', '')] : undefined
  return [
    ...[...anyOf, ...allOf, ...oneOf].flatMap((choice) => idFields(choice, path, defs)),
    ...Object.entries(properties).flatMap(([name, field]) =>
      idFields(field, `${path}.${name}`, defs),
    ),
    ...(items ? idFields(items, `${path}[]`, defs) : []),
    ...(named ? idFields(named, path, defs) : []),
  ]
}

/** Every id of an account's that a query or a body takes, as the contract has it. */
export function secondIds(): string[] {
  const fields = Object.entries<Endpoint>(api).flatMap(([name, endpoint]) =>
    (['query', 'body'] as const).flatMap((part) => {
      const schema = endpoint[part]
      if (!schema) return []
      const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
      return idFields(json, part).map((field) => `${name} ${field}`)
    }),
  )
  return [...new Set(fields)].filter((field) => !ofNobody.includes(field)).sort()
}

interface SecondId {
  /** The call with this id in the field and the stranger's own in all others. */
  call: (id: string) => Target
  /** The stranger's own, with which the same call succeeds; null: that would take it away. */
  own: string | null
  foreign: string
  /** A list answers with nothing, a call for many items with nothing done. */
  isList?: true
}

export function secondIdCalls(
  own: SecondOwner,
  foreign: Belongings & { deliveryId: string },
): Record<string, SecondId> {
  const params = { id: own.contentId }
  const cut = { params: { id: own.cutId } }
  const rangesOf = (id: string) => [newRange({ content_id: id, in: 0, out: 12 })]
  const timeline = {
    name: 'Mine',
    frame_rate: '25',
    drop_frame: false,
    start_timecode: '01:00:00:00',
    target_seconds: null,
  }
  const project = { own: own.projectId, foreign: foreign.projectId }
  const bin = { own: own.binId, foreign: foreign.binId }
  const content = { own: own.contentId, foreign: foreign.contentId }
  const job = { own: own.jobId, foreign: foreign.jobId }
  const ofCut = { own: own.cutId, foreign: foreign.cutId }
  const sound = { own: own.soundIds[1], foreign: foreign.soundIds[1] }
  const isList = true
  const workflow = 'ffprobe'
  const byProject = (id: string) => ({ query: { project_id: id } })
  const byBin = (id: string) => ({ query: { bin_id: id } })
  const byContent = (id: string) => ({ query: { content_id: id } })
  const jobOn = (id: string) => ({ body: { content_id: id, workflow } })
  const batchOn = (id: string) => ({ body: { content_ids: [id], workflow } })
  const manyOf = (id: string) => ({ body: { content_ids: [id] } })
  const syncOf = (id: string) => ({ body: { content_ids: [own.soundIds[0], id] } })
  const calls: Record<string, SecondId> = {
    'listContent query.project_id': { ...project, isList, call: byProject },
    'listContentIds query.project_id': { ...project, isList, call: byProject },
    'listBins query.project_id': { ...project, isList, call: byProject },
    'listContent query.bin_id': { ...bin, isList, call: byBin },
    'listContentIds query.bin_id': { ...bin, isList, call: byBin },
    'updateContent body.bin_id': {
      ...bin,
      call: (id) => ({ params, body: { project_id: own.projectId, bin_id: id } }),
    },
    'moveContent body.bin_id': {
      ...bin,
      call: (id) => ({
        body: { content_ids: [own.contentId], project_id: own.projectId, bin_id: id },
      }),
    },
    'markContent body.content_ids[]': {
      ...content,
      isList,
      call: (id) => ({ body: { content_ids: [id], rating: 5 } }),
    },
    'createBin body.parent_id': {
      ...bin,
      call: (id) => ({ params: { id: own.projectId }, body: { name: 'Mine', parent_id: id } }),
    },
    'ensureBins body.parent_id': {
      ...bin,
      call: (id) => ({ params: { id: own.projectId }, body: { paths: ['Mine'], parent_id: id } }),
    },
    'updateBin body.parent_id': {
      own: null,
      foreign: foreign.binId,
      call: (id) => ({ params: { id: own.binId }, body: { parent_id: id } }),
    },
    'uploadContent query.bin_id': {
      ...bin,
      call: (id) => ({ query: { project_id: own.projectId, bin_id: id } }),
    },
    'updateContent body.project_id': {
      ...project,
      call: (id) => ({ params, body: { project_id: id } }),
    },
    'moveContent body.project_id': {
      ...project,
      call: (id) => ({ body: { content_ids: [own.contentId], project_id: id } }),
    },
    'moveContent body.content_ids[]': {
      ...content,
      isList,
      call: (id) => ({ body: { content_ids: [id], project_id: own.projectId } }),
    },
    'exportManyContent body.content_ids[]': {
      own: null,
      foreign: foreign.contentId,
      call: (id) => ({ body: { content_ids: [own.contentId, id], format: 'json' } }),
    },
    'deleteManyContent body.content_ids[]': {
      own: null,
      foreign: foreign.contentId,
      isList,
      call: manyOf,
    },
    'uploadContent query.project_id': { ...project, call: byProject },
    'deleteApiKey query.keyId': {
      own: null,
      foreign: foreign.keyId,
      call: (id) => ({ query: { keyId: id } }),
    },
    'redeliverWebhook body.delivery_id': {
      own: own.deliveryId,
      foreign: foreign.deliveryId,
      call: (id) => ({ params: { id: own.webhookId }, body: { delivery_id: id } }),
    },
    'quoteJob body.content_id': { ...content, call: jobOn },
    'createJob body.content_id': { ...content, call: jobOn },
    'listJobs query.content_id': { ...content, isList, call: byContent },
    'search query.content_id': {
      ...content,
      isList,
      call: (id) => ({ query: { q: 'clip', content_id: id } }),
    },
    'search query.project_id': {
      ...project,
      isList,
      call: (id) => ({ query: { q: 'clip', project_id: id } }),
    },
    'quoteBatch body.content_ids[]': { ...sound, isList, call: batchOn },
    'createBatch body.content_ids[]': { ...sound, call: batchOn },
    'listCuts query.project_id': { ...project, isList, call: byProject },
    'createCut body.project_id': {
      ...project,
      call: (id) => ({ body: { name: 'Mine too', project_id: id } }),
    },
    'createCut body.ranges[].content_id': {
      ...content,
      call: (id) => ({
        body: { name: 'Mine too', project_id: own.projectId, ranges: rangesOf(id) },
      }),
    },
    'saveCut body.ranges[].content_id': {
      ...content,
      call: (id) => ({ ...cut, body: { ...timeline, ranges: rangesOf(id), version: 1 } }),
    },
    'getCutTranscript query.content_id': {
      ...content,
      call: (id) => ({ ...cut, query: { content_id: id } }),
    },
    'createShare body.cut_id': { ...ofCut, call: (id) => ({ body: { cut_id: id } }) },
    'createShare body.job_id': { ...job, call: (id) => ({ body: { job_id: id } }) },
    'listShares query.cut_id': { ...ofCut, isList, call: (id) => ({ query: { cut_id: id } }) },
    'listShares query.job_id': { ...job, isList, call: (id) => ({ query: { job_id: id } }) },
    'listComments query.cut_id': { ...ofCut, isList, call: (id) => ({ query: { cut_id: id } }) },
    'listComments query.job_id': { ...job, isList, call: (id) => ({ query: { job_id: id } }) },
    'quoteSync body.content_ids[]': { ...sound, call: syncOf },
    'createSync body.content_ids[]': { ...sound, call: syncOf },
    'updateSync body.items[].content_id': {
      ...sound,
      call: (id) => ({
        params: { id: own.syncId },
        body: { items: [{ content_id: id, offset: '1/25' }] },
      }),
    },
    'getSyncSound query.content_id': {
      ...sound,
      call: (id) => ({
        params: { id: own.syncId },
        query: { content_id: id, start: '0', seconds: '1' },
      }),
    },
    'exportSync query.angle': {
      ...sound,
      call: (id) => ({ params: { id: own.syncId }, query: { format: 'edl', angle: id } }),
    },
  }
  return calls
}
