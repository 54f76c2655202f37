/** Scripts that are loaded when they are first needed. */
import { lazy, useEffect } from 'react'
import type { ComponentType } from 'react'
import { readTab, writeTab } from '../dom/browser-storage.ts'
import { showToast } from '../ui/toast.tsx'

const pausesMs = [500, 2000]

/** Asks again for a script that did not come: another Wi-Fi or a tunnel takes a moment. */
export async function loadScript<Script>(load: () => Promise<Script>): Promise<Script> {
  for (const pauseMs of pausesMs) {
    try {
      return await load()
    } catch {
      await new Promise((resume) => setTimeout(resume, pauseMs))
    }
  }
  return await load()
}

const minReloadPauseMs = 60_000
const reloadedAtKey = 'reloaded-at'

/**
 * Reloads the page for a screen whose script did not come: many browsers remember that as long as
 * the page lives. Not within a minute of the last time, offline, or where something would be lost.
 */
export function reloadOnce(): void {
  const sinceReload = Date.now() - Number(readTab(reloadedAtKey))
  if (!navigator.onLine || sinceReload < minReloadPauseMs || isBusy()) return
  writeTab(reloadedAtKey, String(Date.now()))
  // Where nothing is kept it would be loaded again without end.
  if (readTab(reloadedAtKey) !== null) location.reload()
}

/** Uploads and unsaved cuts ask before a page is left; this asks them without leaving. */
function isBusy(): boolean {
  return !dispatchEvent(new Event('beforeunload', { cancelable: true }))
}

/** A part of a screen. Where its script does not come, the rest of the page stays as it is. */
export function part<Name extends string, Props>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) {
  return lazy(async () => ({
    default: await loadScript(load).then(
      (file) => file[name],
      (): ComponentType<Props> => Missing,
    ),
  }))
}

function Missing() {
  useEffect(
    () =>
      showToast({
        type: 'error',
        title: 'A part of this page is missing',
        message: 'It could not be loaded. Check your connection, then reload.',
        action: { label: 'Reload', run: () => location.reload() },
      }),
    [],
  )
  return null
}
