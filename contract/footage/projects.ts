/** Projects: folders of content with what their timelines and exports have in common. */
import * as z from 'zod'
import { defineEndpoints } from '../define-endpoints.ts'
import { Done, Timestamp } from '../fields.ts'
import { Id, StartTimecode } from '../../domain/fields.ts'
import { binLimits, projectColours, projectLimits } from '../../domain/project-limits.ts'
import { parseRate } from '../../domain/time/timecode.ts'

const name = z.string().trim().min(1, 'Please enter a project name').max(200)
const Rate = z
  .string()
  .max(20)
  .refine((text) => parseRate(text) !== null, 'Use a frame rate such as 25 or 30000/1001')
  .meta({ description: 'Frames per second, as a whole number or a fraction.', example: '25' })
const Vocabulary = z
  .array(z.string().trim().min(1).max(80))
  .max(projectLimits.vocabularyTerms)
  .meta({
    description:
      'Names and terms of the project, which the next transcriptions of its clips expect.',
  })

const settings = {
  colour: z.enum(projectColours),
  note: z.string().max(5000),
  frame_rate: Rate.nullable().meta({ description: 'Of its timelines; null: of the first clip.' }),
  drop_frame: z.boolean(),
  start_timecode: StartTimecode.nullable(),
  media_folder: z.string().trim().max(1000).nullable().meta({
    description: 'Where the media is on the editor’s computer. Exports of its clips point there.',
  }),
  vocabulary: Vocabulary,
}

export const Project = z
  .object({
    id: Id,
    name: z.string(),
    ...settings,
    item_count: z.int(),
    seconds: z.number().meta({ description: 'Length of all its media together.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Project' })
export type Project = z.infer<typeof Project>

export const ProjectSelect = z
  .object({
    content_id: Id,
    content_name: z.string(),
    name: z.string(),
    start_frame: z.int(),
    end_frame: z.int(),
  })
  .meta({ id: 'ProjectSelect' })
export type ProjectSelect = z.infer<typeof ProjectSelect>

const binName = z
  .string()
  .trim()
  .min(1, 'Please enter a name')
  .max(binLimits.nameLength)
  .regex(/^[^/]*$/, 'A name has no slash')

export const Bin = z
  .object({
    id: Id,
    project_id: Id,
    parent_id: Id.nullable().meta({ description: 'The bin it is in; null: the project itself.' }),
    name: z.string(),
    position: z.int().meta({ description: 'Among the bins beside it, from 0.' }),
    item_count: z.int().meta({ description: 'Items in it, without those of the bins below.' }),
    created_at: Timestamp,
  })
  .meta({ id: 'Bin' })
export type Bin = z.infer<typeof Bin>

const ProjectReply = z.object({ project: Project })
const changes = z.strictObject({ name, ...settings }).partial()
export type ProjectChanges = z.infer<typeof changes>

const BinReply = z.object({ bin: Bin })
const FolderPath = z
  .string()
  .min(1)
  .max(4000)
  .meta({ description: 'Names of folders, joined by slashes.', example: 'Card A/CLIPS' })

export const projectEndpoints = defineEndpoints('Projects', 'key', {
  listProjects: {
    method: 'GET',
    path: '/projects',
    summary: 'Projects, by name',
    scope: 'content:read',
    reply: z.object({
      projects: z.array(Project),
      unfiled_count: z.int().meta({ description: 'Items that are in no project.' }),
    }),
  },
  createProject: {
    method: 'POST',
    path: '/projects',
    summary: 'Create a project',
    scope: 'content:write',
    body: changes.extend({ name }),
    reply: ProjectReply,
    status: 201,
    creates: true,
    refusals: ['limit_reached'],
    example: { body: { name: 'Harbour documentary', frame_rate: '25' } },
  },
  getProject: {
    method: 'GET',
    path: '/projects/{id}',
    summary: 'One project',
    scope: 'content:read',
    reply: ProjectReply,
  },
  listProjectSelects: {
    method: 'GET',
    path: '/projects/{id}/selects',
    summary: 'The selects of a project’s clips',
    description:
      'Of each clip those of its latest reviewed job, by clip name and then by time; at most 2,000.',
    scope: 'jobs:read',
    reply: z.object({ selects: z.array(ProjectSelect) }),
  },
  updateProject: {
    method: 'PATCH',
    path: '/projects/{id}',
    summary: 'Change a project',
    description: 'Fields that are missing stay as they are.',
    scope: 'content:write',
    body: changes,
    reply: ProjectReply,
    example: { body: { note: 'Second unit arrives on Friday.' } },
  },
  deleteProject: {
    method: 'DELETE',
    path: '/projects/{id}',
    summary: 'Delete a project',
    description: 'Its media stays in the library, in no project.',
    scope: 'content:write',
    reply: Done,
  },
  listBins: {
    method: 'GET',
    path: '/bins',
    summary: 'The bins of a project, or of all',
    description: 'Each after the bin it is in, in the order of the editor.',
    scope: 'content:read',
    query: z.strictObject({ project_id: Id.optional() }),
    reply: z.object({ bins: z.array(Bin) }),
  },
  createBin: {
    method: 'POST',
    path: '/projects/{id}/bins',
    summary: 'Create a bin',
    description: `A folder in a project, or in another bin; at most ${binLimits.depth} deep.`,
    scope: 'content:write',
    body: z.strictObject({ name: binName, parent_id: Id.nullable().optional() }),
    reply: BinReply,
    status: 201,
    creates: true,
    refusals: ['limit_reached'],
    example: { body: { name: 'Day 2' } },
  },
  ensureBins: {
    method: 'POST',
    path: '/projects/{id}/bins/paths',
    summary: 'Make bins of folders',
    description: `Bins of these names that are there already are used, so asking again changes nothing. Folders below the ${binLimits.depth}th level are joined with it.`,
    scope: 'content:write',
    body: z.strictObject({
      parent_id: Id.nullable().optional(),
      paths: z.array(FolderPath).min(1).max(binLimits.paths),
    }),
    reply: z.object({
      bin_ids: z.array(Id.nullable()).meta({
        description: 'The bin of each path, in their order; null: a path without a name.',
      }),
      bins: z.array(Bin).meta({ description: 'All bins of the project.' }),
    }),
    refusals: ['limit_reached'],
    example: { body: { paths: ['Card A/CLIPS', 'Card A/SOUND'] } },
  },
  updateBin: {
    method: 'PATCH',
    path: '/bins/{id}',
    summary: 'Rename a bin, or move it within its project',
    description: 'Fields that are missing stay as they are.',
    scope: 'content:write',
    body: z.strictObject({
      name: binName.optional(),
      parent_id: Id.nullable().optional(),
      position: z.int().min(0).max(binLimits.bins).optional().meta({
        description: 'Among the bins beside it; missing where it moves: after them.',
      }),
    }),
    reply: BinReply,
    example: { body: { name: 'Day 2 · 20 Nov' } },
  },
  deleteBin: {
    method: 'DELETE',
    path: '/bins/{id}',
    summary: 'Delete a bin, with those in it',
    description: 'Their media goes to the bin around it, or to the project.',
    scope: 'content:write',
    reply: Done,
  },
})
