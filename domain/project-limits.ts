/** Apart from the schemas, so that the web can read them without zod. */
export const projectColours = [
  'grey',
  'cyan',
  'green',
  'yellow',
  'orange',
  'red',
  'violet',
] as const
export const projectLimits = { projects: 1000, vocabularyTerms: 200 }
