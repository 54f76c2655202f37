import { lazy } from 'react'
import type { ComponentType } from 'react'
import { loadScript } from './later.tsx'

/**
 * A screen whose script is loaded when it is first shown. Once loaded it renders at once, without
 * the pause of React's own lazy: this is what lets a prerendered page be taken over as it stands.
 */
export type Screen = ComponentType & { load: () => Promise<void> }

export function screen<Name extends string>(
  importFile: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): Screen {
  let Loaded: ComponentType | null = null
  const load = async () => {
    Loaded = (await loadScript(importFile))[name]
  }
  const Later = lazy(async () => {
    await load()
    return { default: () => (Loaded ? <Loaded /> : null) }
  })
  return Object.assign(() => (Loaded ? <Loaded /> : <Later />), { load })
}
