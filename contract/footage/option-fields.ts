/** The options of a job (domain/job-options.ts) as fields of requests and answers. */
import * as z from 'zod'
import { jobOptions } from '../../domain/job-options.ts'
import type { JobOption, OptionsOf, ShownOptions } from '../../domain/job-options.ts'

type Fields<Options> = {
  [Name in keyof Options]-?: z.ZodOptional<z.ZodType<NonNullable<Options[Name]>>>
}

export function optionFields<Table extends Record<string, JobOption>>(
  table: Table,
): Fields<OptionsOf<Table>> {
  const fields = Object.entries(table).map(([name, option]) => [
    name,
    schemaOf(option).optional().meta({ description: option.about, example: option.example }),
  ])
  return Object.fromEntries(fields) as Fields<OptionsOf<Table>>
}

/** As a job shows them: null where one is not set. */
export function shownFields() {
  const fields = Object.entries<JobOption>(jobOptions).map(([name, option]) => {
    const schema = schemaOf(option)
    const shown = option.kind === 'switch' ? schema : schema.nullable()
    return [name, shown.meta({ description: option.about })]
  })
  return Object.fromEntries(fields) as {
    [Name in keyof ShownOptions]: z.ZodType<ShownOptions[Name]>
  }
}

function schemaOf(option: JobOption): z.ZodType {
  switch (option.kind) {
    case 'seconds':
      return z.number().min(0)
    case 'count':
      return z.int().min(1).max(option.max)
    case 'choice':
      return z.enum(option.values, option.problem)
    case 'switch':
      return z.boolean()
    case 'terms':
      return z.array(z.string().min(1).max(80)).max(option.max)
  }
}
