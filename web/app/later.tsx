/** Scripts that are loaded when they are first needed. */
import { lazy, useEffect } from 'react'
import type { ComponentType } from 'react'
import { readTab, writeTab } from '../ui/browser-storage.ts'
import { showToast } from '../ui/toast.tsx'

const pausesMs = [500, 2000]

const minReloadPauseMs = 60_000
const reloadedAtKey = 'reloaded-at'

/**
 * A script without which nothing can be shown. Many browsers remember for as long as a page lives that
 * one did not come, so that asking again is of no use: then the page is loaded again, once a minute.
 */
export async function loadScreen<Script>(load: () => Promise<Script>): Promise<Script> {
  try {
    return await loadScript(load)
  } catch (error) {
    const sinceReload = Date.now() - Number(readTab(reloadedAtKey))
    if (!navigator.onLine || sinceReload < minReloadPauseMs) throw error
    writeTab(reloadedAtKey, String(Date.now()))
    // Where nothing is kept it would be loaded again without end.
    if (readTab(reloadedAtKey) === null) throw error
    location.reload()
    return new Promise(() => undefined)
  }
}

/** Asks again for a script that did not come: another Wi-Fi or a tunnel takes a moment. */
async function loadScript<Script>(load: () => Promise<Script>): Promise<Script> {
  for (const pauseMs of pausesMs) {
    try {
      return await load()
    } catch {
      await new Promise((resume) => setTimeout(resume, pauseMs))
    }
  }
  return await load()
}

/** A part of a screen. Where its script does not come, the rest of the page stays as it is. */
export function part<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({
    default: await loadScript(load).catch((): ComponentType<Props> => Missing),
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
