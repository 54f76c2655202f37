/**
 * Everything the sandbox remembers: tables in memory, backed by an append-only log.
 *
 * A change is in memory at once and on disk at `flush`, in one write, before the answer that tells
 * about it leaves. A line cut short by a crash is ignored at the next start, when the log is also
 * rewritten to its live rows (temporary file, fsync, rename).
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

export type Store<Tables> = {
  get<K extends keyof Tables & string>(table: K, id: string): Tables[K] | undefined
  put<K extends keyof Tables & string>(table: K, id: string, row: Tables[K]): Tables[K]
  remove(table: keyof Tables & string, id: string): void
  /** Rows in the order in which they were first put. */
  rows<K extends keyof Tables & string>(table: K): Tables[K][]
  flush: () => void
  close: () => void
}

type Line = { table: string; id: string; row: unknown }

export function openStore<Tables>(
  dataDir: string | undefined,
  keep: (table: string, row: unknown) => boolean,
): Store<Tables> {
  const tables = new Map<string, Map<string, unknown>>()
  const log = dataDir === undefined ? undefined : openLog(dataDir, tables, keep)
  let pending = ''

  function rowsOf(table: string): Map<string, unknown> {
    const rows = tables.get(table) ?? new Map<string, unknown>()
    tables.set(table, rows)
    return rows
  }

  function append(line: Line): void {
    if (log !== undefined) pending += `${JSON.stringify(line)}\n`
  }

  function flush(): void {
    if (log === undefined || pending === '') return
    writeSync(log, pending)
    pending = ''
  }

  return {
    get: (table, id) => rowsOf(table).get(id) as never,
    put(table, id, row) {
      rowsOf(table).set(id, row)
      append({ table, id, row })
      return row
    },
    remove(table, id) {
      rowsOf(table).delete(id)
      append({ table, id, row: null })
    },
    rows: (table) => [...rowsOf(table).values()] as never,
    flush,
    close() {
      flush()
      if (log === undefined) return
      fsyncSync(log)
      closeSync(log)
    },
  }
}

function openLog(
  dataDir: string,
  tables: Map<string, Map<string, unknown>>,
  keep: (table: string, row: unknown) => boolean,
): number {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, 'sandbox.jsonl')
  if (existsSync(path)) replay(readFileSync(path, 'utf8'), tables)
  compact(path, tables, keep)
  return openSync(path, 'a', 0o600)
}

function replay(text: string, tables: Map<string, Map<string, unknown>>): void {
  const lines = text.split('\n')
  // Drops the rest behind the last newline: nothing, or a line that a crash cut short.
  lines.pop()
  for (const text of lines) {
    const line = JSON.parse(text) as Line
    const rows = tables.get(line.table) ?? new Map<string, unknown>()
    tables.set(line.table, rows)
    if (line.row === null) rows.delete(line.id)
    else rows.set(line.id, line.row)
  }
}

function compact(
  path: string,
  tables: Map<string, Map<string, unknown>>,
  keep: (table: string, row: unknown) => boolean,
): void {
  const temporary = `${path}.new`
  const file = openSync(temporary, 'w', 0o600)
  for (const [table, rows] of tables) {
    for (const [id, row] of rows) {
      if (keep(table, row)) writeSync(file, `${JSON.stringify({ table, id, row })}\n`)
      else rows.delete(id)
    }
  }
  fsyncSync(file)
  closeSync(file)
  renameSync(temporary, path)
}
