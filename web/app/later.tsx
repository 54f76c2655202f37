/** Scripts that are loaded when they are first needed. */
import { lazy, useEffect } from 'react'
import type { ComponentType } from 'react'
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
