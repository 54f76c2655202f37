import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

export interface Tab {
  id: string
  label: string
  /** How many things the tab holds, shown beside its label. */
  count?: number
  content: ReactNode
}

export function Tabs({
  label,
  tabs,
  value,
  onChange,
}: {
  label: string
  tabs: readonly Tab[]
  value?: string
  onChange?: (id: string) => void
}) {
  return (
    <Base.Root
      value={value}
      defaultValue={value === undefined ? tabs[0]?.id : undefined}
      onValueChange={(next: unknown) => onChange?.(String(next))}
      className="flex min-h-0 flex-col"
    >
      <Base.List
        aria-label={label}
        className="flex shrink-0 overflow-x-auto border-b border-line px-1"
      >
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.id}
            value={tab.id}
            className="-mb-px flex h-9 items-center gap-1.5 border-b-2 border-transparent px-2 text-sm font-medium whitespace-nowrap text-ink-2 hover:text-ink focus-visible:-outline-offset-2 data-active:border-brand data-active:text-ink pointer-coarse:h-11"
          >
            {tab.label}
            {tab.count !== undefined && <span className="figures text-ink-3">{tab.count}</span>}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.id} value={tab.id} className="min-h-0 grow overflow-auto">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
