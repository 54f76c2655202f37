import { Tabs as Base } from '@base-ui/react/tabs'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'

export interface Tab {
  id: string
  label: string
  /** How many things the tab holds, shown beside its label. */
  count?: number | string
  content: ReactNode
}

export function Tabs({
  label,
  tabs,
  value,
  isFlush = false,
  onChange,
}: {
  label: string
  tabs: readonly Tab[]
  value?: string
  /** The first label begins where the content does, as in a dialog. */
  isFlush?: boolean
  onChange?: (id: string) => void
}) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (value !== undefined) showActive(list.current)
  }, [value])
  return (
    <Base.Root
      value={value}
      defaultValue={value === undefined ? tabs[0]?.id : undefined}
      onValueChange={(next: unknown) => {
        onChange?.(String(next))
        requestAnimationFrame(() => showActive(list.current))
      }}
      className="flex min-h-0 grow flex-col"
    >
      <Base.List
        ref={list}
        aria-label={label}
        className={classes(
          'scroll-hint scroll-bare flex shrink-0 overflow-x-auto overflow-y-hidden border-b border-line',
          isFlush ? 'gap-3' : 'px-1',
        )}
      >
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.id}
            value={tab.id}
            className={classes(
              '-mb-px flex h-9 items-center gap-1 border-b-2 border-transparent text-sm font-medium whitespace-nowrap text-ink-2',
              'hover:text-ink focus-visible:-outline-offset-2 data-active:border-brand data-active:text-ink pointer-coarse:h-11',
              !isFlush && 'px-1.5',
            )}
          >
            {tab.label}
            {tab.count !== undefined && (
              <span className="figures text-ink-3">{tab.count.toLocaleString('en-US')}</span>
            )}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.id} value={tab.id} className="relative min-h-0 grow overflow-auto">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}

/** Where the tabs are wider than their place, the chosen one is in view. */
function showActive(list: HTMLElement | null): void {
  const tab = list?.querySelector<HTMLElement>('[data-active]')
  if (!list || !tab) return
  const left = tab.offsetLeft - list.offsetLeft
  if (left < list.scrollLeft) list.scrollLeft = left
  const overhang = left + tab.offsetWidth - list.clientWidth
  if (overhang > list.scrollLeft) list.scrollLeft = overhang
}
