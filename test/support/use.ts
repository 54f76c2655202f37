import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'

/** Closes the resources that are open, the newest last. */
const closing: (() => unknown)[] = []

/**
 * Opens something before the tests of a file or suite and closes it after them, the newest first.
 * To be called where tests are defined: the returned object stands for the opened one as soon as
 * they run.
 */
export function use<Opened extends object>(
  open: () => Opened | Promise<Opened>,
  close: (opened: Opened) => unknown = stop,
): Opened {
  let opened: Opened | undefined
  const closeIt = (): unknown => opened && close(opened)
  before(async () => {
    opened = await open()
    closing.push(closeIt)
  })
  after(async () => {
    while (closing.includes(closeIt)) await closing.pop()?.()
  })
  const target = (): Opened => {
    if (!opened) throw new Error('It is opened when the tests run.')
    return opened
  }
  return new Proxy({} as Opened, {
    get(_, name) {
      const value: unknown = Reflect.get(target(), name)
      return typeof value === 'function' ? value.bind(target()) : value
    },
    set: (_, name, value) => Reflect.set(target(), name, value),
  })
}

/** Makes a folder that is removed after the tests. */
export function useFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cutindex-test-'))
  use(() => ({ stop: () => rm(folder, { recursive: true, force: true }) }))
  return folder
}

function stop(opened: object): unknown {
  return (opened as { stop?: () => unknown }).stop?.()
}
