/**
 * Creates and saves cuts. A save names the version that it was made from; one from an older version
 * is refused together with the saved cut, so nobody's work is overwritten unseen.
 */
import type { Transaction } from 'kysely'
import { within } from '../../domain/cuts/cut-edit.ts'
import { cutFrames, sourceFrames } from '../../domain/cuts/cut-times.ts'
import { cutLimits } from '../../domain/cuts/cut-limits.ts'
import type { Cut } from '../../contract/footage/cuts.ts'
import type { CutRange } from '../../domain/cuts/cut.ts'
import type { Media } from '../../domain/findings/findings.ts'
import type { Project } from '../../contract/footage/projects.ts'
import {
  divide,
  formatRational,
  parseRational,
  rational,
  toNumber,
} from '../../domain/time/rational.ts'
import {
  canDropFrame,
  countedRate,
  parseRate,
  parseTimecode,
  timecodeFormat,
  toTimecode,
} from '../../domain/time/timecode.ts'
import { refuseAtLimit } from '../accounts/lock-account.ts'
import type { CutDocument, SavedSource } from '../ground/cut-document.ts'
import type { Tables } from '../ground/generated-tables.ts'
import type { Verb } from '../ground/verb.ts'
import type { Context } from '../ground/context.ts'
import { checkTimeline } from '../projects/check-timeline.ts'
import { readProject } from '../projects/read.ts'
import { notFound, Refusal, savedMeanwhile } from '../ground/refusal.ts'
import { describeCut, findCut, readCut } from './read.ts'
import { findSources, firstVideoOf, frameTimesOf } from './sources.ts'
import type { KnownSource } from './sources.ts'

const maxBytes = 1_000_000

type Settings = Pick<
  Cut,
  'name' | 'frame_rate' | 'drop_frame' | 'start_timecode' | 'frame_size' | 'target_seconds'
>

export const createCut: Verb<'createCut'> = async (ctx, actor, { body }, exchange) => {
  const { accountId } = actor
  const placed = exchange.effectId && (await findCut(ctx.db, { id: exchange.effectId, accountId }))
  if (placed) return describeCut(ctx, actor, placed)
  const { project_id: projectId, ranges = [], ...asked } = body
  const project = await readProject(ctx, accountId, projectId)
  const sources = await checkRanges(ctx, accountId, ranges, [])
  const ofRanges = ranges.map((range) => sources.get(range.content_id)?.media)
  const first =
    ofRanges.find((media) => media?.kind === 'video') ??
    (await firstVideoOf(ctx, accountId, projectId))
  const settings = presets(asked, project, first)
  checkTimeline(settings)
  const document = await documentOf(ctx, accountId, { ...settings, ranges }, sources)
  const id = await ctx.db.transaction().execute(async (trx) => {
    await refuseAtLimit(trx, accountId, { table: 'cuts', limit: cutLimits.cuts, name: 'cuts' })
    const { id } = await trx
      .insertInto('cuts')
      .values({
        ...(exchange.effectId ? { id: exchange.effectId } : {}),
        account_id: accountId,
        project_id: projectId,
        ...summaryOf(document),
        version: 1,
        created_at: ctx.now(),
        updated_at: ctx.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await addVersion(ctx, trx, { id, version: 1, document })
    return id
  })
  return describeCut(ctx, actor, await readCut(ctx.db, { id, accountId }))
}

export const saveCut: Verb<'saveCut'> = async (ctx, actor, { params, body }) => {
  const { accountId } = actor
  const target = { id: params.id, accountId }
  const { version, ranges, frame_size: size, ...changed } = body
  checkTimeline(changed)
  const before = await readCut(ctx.db, target)
  const settings = { ...changed, frame_size: size === undefined ? before.cut.frame_size : size }
  const sources = await checkRanges(ctx, accountId, ranges, before.sources)
  const document = await documentOf(ctx, accountId, { ...settings, ranges }, sources)
  await ctx.db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('cuts')
      .select('version')
      .where('id', '=', target.id)
      .where('account_id', '=', accountId)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw notFound('The cut')
    if (row.version !== version) {
      const { cut } = await readCut(trx, target)
      throw savedMeanwhile('another version of this cut', { cut })
    }
    await addVersion(ctx, trx, { id: target.id, version: version + 1, document })
    await trx
      .updateTable('cuts')
      .set({ ...summaryOf(document), version: version + 1, updated_at: ctx.now() })
      .where('id', '=', target.id)
      .execute()
  })
  return describeCut(ctx, actor, await readCut(ctx.db, target))
}

/** Refuses ranges that lie outside of their clip, and says which; returns what is known of all. */
async function checkRanges(
  ctx: Context,
  accountId: string,
  ranges: readonly CutRange[],
  saved: readonly SavedSource[],
): Promise<Map<string, KnownSource>> {
  const contentIds = ranges.map((range) => range.content_id)
  const sources = await findSources(ctx, accountId, { contentIds, saved })
  const ids = new Set<string>()
  for (const [index, range] of ranges.entries()) {
    const refuse = (field: string, sentence: string): never => {
      const name = range.name ? ` (${range.name})` : ''
      throw new Refusal('invalid', `Range ${index + 1}${name}: ${sentence}`, {
        field: `ranges.${index}.${field}`,
      })
    }
    if (ids.has(range.id)) refuse('id', 'Another range has the same id.')
    ids.add(range.id)
    const source = sources.get(range.content_id)
    if (!source) return refuse('content_id', 'The clip was not found, or not looked at yet.')
    const { kind } = source.media
    if (kind !== 'video' && kind !== 'audio') {
      refuse('content_id', `${source.name} has neither a picture nor sound to cut.`)
    }
    if (range.out <= range.in) refuse('out', 'It must end after it starts.')
    // The last frame of a sound is begun, and counted, but is not whole.
    const frames = Math.max(sourceFrames(source.media), source.media.frames)
    if (range.out > frames) {
      refuse('out', `It ends at frame ${range.out}, and ${source.name} has ${frames} frames.`)
    }
    if (range.in >= sourceFrames(source.media)) {
      refuse('in', `It starts at frame ${range.in}, where ${source.name} has no whole frame left.`)
    }
  }
  return sources
}

async function documentOf(
  ctx: Context,
  accountId: string,
  { ranges, ...settings }: Settings & { ranges: CutRange[] },
  sources: ReadonlyMap<string, KnownSource>,
): Promise<CutDocument> {
  const timings = await Promise.all(
    [...sources.values()].map(async (source) => ({
      content_id: source.content_id,
      media: source.media,
      frame_times: await frameTimesOf(ctx, accountId, source),
    })),
  )
  const tidy = ranges.map((range) => {
    const out = Math.min(range.out, sourceFrames(sources.get(range.content_id)!.media))
    return { ...range, out, removed: within(range.removed, { ...range, out }) }
  })
  const document: CutDocument = {
    ...settings,
    ranges: tidy,
    sources: [...sources.values()].map(({ content_id, name, sha256, media }) => ({
      content_id,
      name,
      sha256,
      media,
    })),
    frames: cutFrames({ frame_rate: settings.frame_rate, ranges: tidy }, timings),
  }
  const text = JSON.stringify(document.ranges)
  if (text.length > maxBytes) {
    throw new Refusal('invalid', 'This cut holds more names, notes and removed words than fit.')
  }
  return document
}

function presets(
  asked: Partial<Settings> & { name: string },
  project: Project,
  first: Media | undefined,
): Settings {
  const firstRate = parseRational(first?.frame_rate ?? '')
  const rate =
    parseRate(asked.frame_rate ?? project.frame_rate ?? '') ??
    (firstRate ? countedRate(firstRate) : rational(25))
  const isFirst = asked.frame_rate === undefined && project.frame_rate === null
  const dropped = isFirst ? (first?.drop_frame ?? false) : project.drop_frame
  const dropFrame = asked.drop_frame ?? (dropped && canDropFrame(rate))
  return {
    name: asked.name,
    frame_rate: formatRational(rate),
    drop_frame: dropFrame,
    start_timecode: asked.start_timecode ?? startOf(project.start_timecode, rate, dropFrame),
    frame_size: asked.frame_size ?? null,
    target_seconds: asked.target_seconds ?? null,
  }
}

/** One hour, where the project's start has no frame at this rate. */
function startOf(
  preset: string | null,
  rate: ReturnType<typeof rational>,
  dropFrame: boolean,
): string {
  const format = timecodeFormat(rate, dropFrame && canDropFrame(rate))
  if (preset !== null && parseTimecode(preset, format) !== null) return preset
  return toTimecode(parseTimecode('01:00:00:00', format)!, format)
}

function summaryOf(document: CutDocument) {
  const rate = parseRate(document.frame_rate) ?? rational(25)
  return {
    name: document.name,
    range_count: document.ranges.length,
    frames: document.frames,
    seconds: toNumber(divide(rational(document.frames), rate)),
  }
}

async function addVersion(
  ctx: Context,
  trx: Transaction<Tables>,
  { id, version, document }: { id: string; version: number; document: CutDocument },
): Promise<void> {
  await trx
    .insertInto('cut_versions')
    .values({ cut_id: id, version, document: JSON.stringify(document), saved_at: ctx.now() })
    .execute()
  await trx
    .deleteFrom('cut_versions')
    .where('cut_id', '=', id)
    .where('version', '<=', version - cutLimits.versions)
    .execute()
}
