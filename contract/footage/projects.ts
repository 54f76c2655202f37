/** Projects: folders of content with what their timelines and exports have in common. */
import * as z from 'zod'
import { defineEndpoints } from '../endpoint.ts'
import { Done, idParams, Timestamp } from '../fields.ts'
import { Id, StartTimecode } from '../../domain/fields.ts'
import { projectColours, projectLimits } from '../../domain/project-limits.ts'
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

const ProjectReply = z.object({ project: Project })
const changes = z.strictObject({ name, ...settings }).partial()
export type ProjectChanges = z.infer<typeof changes>

export const projectEndpoints = defineEndpoints({
  listProjects: {
    method: 'GET',
    path: '/projects',
    tag: 'Projects',
    summary: 'Projects, by name',
    auth: 'key',
    scope: 'content:read',
    reply: z.object({
      projects: z.array(Project),
      unfiled_count: z.int().meta({ description: 'Items that are in no project.' }),
    }),
  },
  createProject: {
    method: 'POST',
    path: '/projects',
    tag: 'Projects',
    summary: 'Create a project',
    auth: 'key',
    scope: 'content:write',
    body: changes.extend({ name }),
    reply: ProjectReply,
    status: 201,
    creates: true,
    refusals: ['invalid', 'limit_reached'],
    example: { body: { name: 'Harbour documentary', frame_rate: '25' } },
  },
  getProject: {
    method: 'GET',
    path: '/projects/{id}',
    tag: 'Projects',
    summary: 'One project',
    auth: 'key',
    scope: 'content:read',
    params: idParams,
    reply: ProjectReply,
    refusals: ['not_found'],
  },
  listProjectSelects: {
    method: 'GET',
    path: '/projects/{id}/selects',
    tag: 'Projects',
    summary: 'The selects of a project’s clips',
    description:
      'Of each clip those of its latest reviewed job, by clip name and then by time; at most 2,000.',
    auth: 'key',
    scope: 'jobs:read',
    params: idParams,
    reply: z.object({ selects: z.array(ProjectSelect) }),
    refusals: ['not_found'],
  },
  updateProject: {
    method: 'PATCH',
    path: '/projects/{id}',
    tag: 'Projects',
    summary: 'Change a project',
    description: 'Fields that are missing stay as they are.',
    auth: 'key',
    scope: 'content:write',
    params: idParams,
    body: changes,
    reply: ProjectReply,
    refusals: ['not_found', 'invalid'],
    example: { body: { note: 'Second unit arrives on Friday.' } },
  },
  deleteProject: {
    method: 'DELETE',
    path: '/projects/{id}',
    tag: 'Projects',
    summary: 'Delete a project',
    description: 'Its media stays in the library, in no project.',
    auth: 'key',
    scope: 'content:write',
    params: idParams,
    reply: Done,
    refusals: ['not_found'],
  },
})
