/**
 * The options of a job, each described once. Requests, rows, orders to the engine, keys of reusable
 * results, retries, batches and command lines read these tables; an unset option is absent. Plain
 * data, so that the web and the package go without zod (contract/footage/option-fields.ts).
 */
import { maxSpeakers } from './findings/speakers.ts'
import { spokenLanguages } from './languages.ts'
import { projectLimits } from './project-limits.ts'

export type JobOption = { about: string; example?: string; flag?: string; usage?: string } & (
  | { kind: 'seconds' | 'switch' }
  | { kind: 'count'; max: number }
  | { kind: 'choice'; values: readonly string[]; problem: string }
  | { kind: 'terms'; max: number }
)

type ValueOf<Option> = Option extends { values: readonly (infer Value)[] }
  ? Value
  : Option extends { kind: 'switch' }
    ? boolean
    : Option extends { kind: 'terms' }
      ? readonly string[]
      : number

export type OptionsOf<Table> = {
  [Name in keyof Table]?: ValueOf<Table[Name]> | undefined
}

export const rangeOptions = {
  in: {
    kind: 'seconds',
    about: 'First second that is analysed, if not the start.',
    flag: 'SECONDS',
    usage: 'where to start',
  },
  out: {
    kind: 'seconds',
    about: 'Where the analysis ends, in seconds.',
    flag: 'SECONDS',
    usage: 'where to end',
  },
} as const satisfies Record<string, JobOption>

/** Options of the transcription. */
export const speechOptions = {
  speakers: {
    kind: 'count',
    max: maxSpeakers,
    about: 'How many people speak; the transcription hears it where it is not given.',
    flag: 'N',
    usage: `how many people speak in each file, 1 to ${maxSpeakers} (heard where it is not named)`,
  },
  language: {
    kind: 'choice',
    values: spokenLanguages,
    problem: 'Not a language that can be transcribed',
    about:
      'The language that is spoken, as ISO 639 code; the transcription hears it where it is not given.',
    example: 'de',
    flag: 'CODE',
    usage: 'what is spoken, such as de (heard where it is not named)',
  },
  translate: {
    kind: 'switch',
    about:
      'Also writes an English translation of speech in other languages, for `caption_language=english` of exports. At no extra cost.',
    usage: 'also write speech of other languages in English',
  },
} as const satisfies Record<string, JobOption>

/** Taken from the project of the content when the job is placed. */
export const projectOptions = {
  vocabulary: {
    kind: 'terms',
    max: projectLimits.vocabularyTerms,
    about: 'Names and terms that may be said.',
    flag: 'A,B',
    usage: 'names and terms that may be said',
  },
} as const satisfies Record<string, JobOption>

/** Options of a request. */
export const jobOptions = { ...rangeOptions, ...speechOptions }
const placedOptions = { ...jobOptions, ...projectOptions }

export type Stretch = OptionsOf<typeof rangeOptions>
export type JobOptions = OptionsOf<typeof jobOptions>
/** As the row of a job keeps them. */
export type PlacedOptions = OptionsOf<typeof placedOptions>

/** Picks the options that are set out of an object that has more. */
export function optionsOf(from: {
  [Name in keyof PlacedOptions]?: PlacedOptions[Name] | null
}): PlacedOptions {
  const set = Object.keys(placedOptions).flatMap((name) => {
    const value = from[name as keyof PlacedOptions]
    const isUnset = value === undefined || value === null || value === false
    return isUnset || (Array.isArray(value) && value.length === 0) ? [] : [[name, value]]
  })
  return Object.fromEntries(set) as PlacedOptions
}

/** As a job shows its options: null, or false, where one is not set. */
export type ShownOptions = {
  [Name in keyof JobOptions]-?: JobOptions[Name] extends boolean | undefined
    ? boolean
    : NonNullable<JobOptions[Name]> | null
}

export function shownOptions(options: JobOptions): ShownOptions {
  const shown = Object.entries<JobOption>(jobOptions).map(([name, { kind }]) => [
    name,
    options[name as keyof JobOptions] ?? (kind === 'switch' ? false : null),
  ])
  return Object.fromEntries(shown) as ShownOptions
}

/** Thrown by `readFlags`; the message says what the flag takes. */
export class WrongFlag extends Error {}

/** Reads options as a command line has them. */
export function readFlags<Table extends Record<string, JobOption>>(
  table: Table,
  flags: Partial<Record<string, string | boolean>>,
): OptionsOf<Table> {
  const read = Object.entries(table).flatMap(([name, option]) => {
    const text = flags[name]
    if (text === undefined) return []
    const value = typeof text === 'string' ? readText(option, text) : text
    if (value !== undefined) return [[name, value]]
    throw new WrongFlag(`--${name} takes ${takes(option)}, not "${text}".`)
  })
  return Object.fromEntries(read) as OptionsOf<Table>
}

function readText(option: JobOption, text: string): number | string | string[] | undefined {
  if (option.kind === 'terms') return text.split(',').flatMap((term) => term.trim() || [])
  if (option.kind === 'choice') return option.values.find((value) => value === text.toLowerCase())
  const value = text.trim() === '' ? NaN : Number(text)
  const isCount = option.kind === 'count'
  const isFine = isCount ? Number.isInteger(value) && value >= 1 && value <= option.max : value >= 0
  return isFine && value < Infinity ? value : undefined
}

function takes(option: JobOption): string {
  if (option.kind === 'count') return `a whole number from 1 to ${option.max}`
  return option.kind === 'choice' ? `a code such as ${option.example}` : 'seconds'
}

/** The options for `parseArgs`. */
export function flagTypes<Table extends Record<string, JobOption>>(table: Table) {
  const types = Object.entries(table).map(([name, { kind }]) => [
    name,
    { type: kind === 'switch' ? 'boolean' : 'string' },
  ])
  return Object.fromEntries(types) as {
    [Name in keyof Table]: {
      type: Table[Name] extends { kind: 'switch' } ? 'boolean' : 'string'
    }
  }
}

export function usageLines(table: Record<string, JobOption>): string {
  const lines = Object.entries(table).map(
    ([name, { flag = '', usage }]) => `  ${`--${name} ${flag}`.padEnd(20)}${usage}`,
  )
  return lines.join('\n')
}
