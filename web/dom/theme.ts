/** Theme and colour preset, stored locally; before-paint.js applies them first. */
import { useSyncExternalStore } from 'react'
import { readLocal, writeLocal } from './browser-storage.ts'
import { createSignal } from './signal.ts'

export const colourPresets = ['default', 'ocean', 'forest', 'sunset'] as const
export type ColourPreset = (typeof colourPresets)[number]
export type Theme = 'light' | 'dark'

const themeKey = 'theme'
const presetKey = 'colour-preset'
const { announce, subscribe } = createSignal()

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme, () => 'dark')
}

export function useColourPreset(): ColourPreset {
  return useSyncExternalStore(subscribe, currentPreset, () => 'ocean')
}

export function setTheme(theme: Theme): void {
  writeLocal(themeKey, theme)
  document.documentElement.dataset.theme = theme
  announce()
}

export function setColourPreset(preset: ColourPreset): void {
  writeLocal(presetKey, preset)
  document.documentElement.dataset.preset = preset
  announce()
}

/** Follows the system while nothing is chosen, and a choice made in another tab. */
export function watchTheme(): void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', () => {
    if (readLocal(themeKey)) return
    document.documentElement.dataset.theme = system.matches ? 'dark' : 'light'
    announce()
  })
  addEventListener('storage', (event) => {
    const root = document.documentElement
    if (event.key === themeKey && isTheme(event.newValue)) root.dataset.theme = event.newValue
    if (event.key === presetKey && isPreset(event.newValue)) root.dataset.preset = event.newValue
    announce()
  })
}

function currentTheme(): Theme {
  return document.documentElement.dataset.theme === 'light' ? 'light' : 'dark'
}

function currentPreset(): ColourPreset {
  const preset = document.documentElement.dataset.preset ?? null
  return isPreset(preset) ? preset : 'ocean'
}

function isTheme(value: string | null): value is Theme {
  return value === 'light' || value === 'dark'
}

function isPreset(value: string | null): value is ColourPreset {
  return (colourPresets as readonly (string | null)[]).includes(value)
}

/** Reads custom properties where an element stands, for a canvas. */
export function readColours<Name extends string>(
  element: Element,
  properties: Record<Name, string>,
): Record<Name, string> {
  const style = getComputedStyle(element)
  const read = Object.entries<string>(properties).map(([name, property]) => [
    name,
    style.getPropertyValue(property).trim(),
  ])
  return Object.fromEntries(read) as Record<Name, string>
}
