/** Rough cuts for agents: list, read, create, add, reorder. Each save names the version it read. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import * as z from 'zod'
import { cutExportFormats } from '../../domain/export-formats.ts'
import type { Cut } from '../../contract/footage/cuts.ts'
import type { CutRange } from '../../domain/cuts/cut.ts'
import { CutIndexError } from '../cutindex.ts'
import type { CutIndex } from '../cutindex.ts'
import { toolsOf, dataNote, fileFacts, pageLength } from './answer.ts'

const Id = z.uuid()
const reads = { readOnlyHint: true, openWorldHint: false }
const writes = { readOnlyHint: false, destructiveHint: false, openWorldHint: false }
const NewRange = z.object({
  content_id: Id,
  start_frame: z.int().min(0).describe('First frame of the source'),
  end_frame: z.int().min(1).describe('First frame that no longer belongs to it'),
  name: z.string().max(200).default(''),
})
const Ranges = z.array(NewRange).min(1).max(100)
const Cursor = z.int().min(0).default(0).describe('next_cursor of the page before')

export function registerCutTools(server: McpServer, client: CutIndex): void {
  const add = toolsOf(server)
  add(
    'list_cuts',
    {
      description: 'Rough cuts, last changed first.',
      inputSchema: z.strictObject({ project_id: Id.optional(), cursor: Cursor }),
      annotations: reads,
    },
    async ({ project_id, cursor }) => {
      const { cuts } = await client.api.listCuts({ query: { project_id } })
      const { part, ...rest } = pageOf(cuts, cursor)
      const items = part.map((cut) => ({
        cut_id: cut.id,
        name: cut.name,
        project_id: cut.project_id,
        ranges: cut.range_count,
        seconds: cut.seconds,
      }))
      return { note: dataNote, items, ...rest }
    },
  )
  add(
    'get_cut',
    {
      description: 'The ranges of a cut, in order.',
      inputSchema: z.strictObject({ cut_id: Id, cursor: Cursor }),
      annotations: reads,
    },
    async ({ cut_id: id, cursor }) => {
      const { cut } = await client.api.getCut({ params: { id }, query: {} })
      return cutFacts(cut, cursor)
    },
  )
  add(
    'export_cut',
    {
      description: 'A cut as one checked file for editing software.',
      inputSchema: z.strictObject({ cut_id: Id, format: z.enum(cutExportFormats) }),
      annotations: reads,
    },
    ({ cut_id, format }) => exportCut(client, cut_id, format),
  )
  registerCutEdits(server, client)
}

function registerCutEdits(server: McpServer, client: CutIndex): void {
  const add = toolsOf(server)
  add(
    'create_cut',
    {
      description: 'A new cut of clips of a project.',
      inputSchema: z.strictObject({
        project_id: Id,
        name: z.string().min(1).max(200),
        ranges: Ranges.optional(),
      }),
      annotations: writes,
    },
    async ({ project_id, name, ranges = [] }) => {
      const body = { project_id, name, ranges: ranges.map(rangeOf) }
      return cutFacts((await client.api.createCut({ body })).cut)
    },
  )
  add(
    'add_to_cut',
    {
      description: 'Adds ranges to a cut, at its end or before a position (from 0).',
      inputSchema: z.strictObject({
        cut_id: Id,
        ranges: Ranges,
        position: z.int().min(0).optional(),
      }),
      annotations: writes,
    },
    ({ cut_id, ranges, position }) =>
      change(client, cut_id, (before) =>
        before.toSpliced(position ?? before.length, 0, ...ranges.map(rangeOf)),
      ),
  )
  add(
    'reorder_cut',
    {
      description: 'Puts the ranges of a cut in the given order: all range ids, each once.',
      inputSchema: z.strictObject({ cut_id: Id, range_ids: z.array(Id).max(2000) }),
      annotations: { ...writes, idempotentHint: true },
    },
    ({ cut_id, range_ids }) =>
      change(client, cut_id, (before) => {
        const byId = new Map(before.map((range) => [range.id, range]))
        const after = range_ids.flatMap((id) => byId.get(id) ?? [])
        if (new Set(range_ids).size !== before.length || after.length !== before.length) {
          throw new Error('Name every range of the cut once: call get_cut for their ids.')
        }
        return after
      }),
  )
}

type CutFormat = (typeof cutExportFormats)[number]

async function exportCut(client: CutIndex, id: string, format: CutFormat): Promise<object> {
  const file = await client.cuts.export(id, { format })
  const { ticket, expires_at } = await client.api.createCutTicket({ params: { id } })
  const address = client.address('exportCut', { params: { id }, query: { format, ticket } })
  return fileFacts(file, { address, until: expires_at })
}

const maxAttempts = 3

/** Reads, changes and saves; where somebody saved in between, again from what they saved. */
async function change(
  client: CutIndex,
  id: string,
  edit: (ranges: CutRange[]) => CutRange[],
): Promise<object> {
  const params = { id }
  for (let attempt = 1; ; attempt += 1) {
    const { cut } = await client.api.getCut({ params, query: {} })
    const { name, frame_rate, drop_frame, start_timecode, target_seconds, version } = cut
    const settings = { name, frame_rate, drop_frame, start_timecode, target_seconds, version }
    try {
      const body = { ...settings, ranges: edit(cut.ranges) }
      return cutFacts((await client.api.saveCut({ params, body })).cut)
    } catch (error) {
      const isOlder = error instanceof CutIndexError && error.code === 'conflict'
      if (!isOlder || attempt === maxAttempts) throw error
    }
  }
}

function rangeOf(range: z.infer<typeof NewRange>): CutRange {
  return {
    id: crypto.randomUUID(),
    content_id: range.content_id,
    in: range.start_frame,
    out: range.end_frame,
    name: range.name,
    note: '',
    disabled: false,
    removed: [],
  }
}

/** A page of what was read whole, from the given place on. */
function pageOf<Item>(all: readonly Item[], cursor: number) {
  const part = all.slice(cursor, cursor + pageLength)
  const end = cursor + part.length
  const more = Math.max(0, all.length - end)
  return { part, more, next_cursor: more > 0 ? end : undefined }
}

function cutFacts(cut: Cut, cursor = 0): object {
  const { part, ...rest } = pageOf(cut.ranges, cursor)
  return {
    note: dataNote,
    cut_id: cut.id,
    name: cut.name,
    frame_rate: cut.frame_rate,
    version: cut.version,
    ranges: part.map((range) => ({
      range_id: range.id,
      content_id: range.content_id,
      start_frame: range.in,
      end_frame: range.out,
      name: range.name,
      disabled: range.disabled || undefined,
    })),
    ...rest,
  }
}
