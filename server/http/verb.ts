export type { Exchange, Verb, Verbs } from '../verb.ts'
