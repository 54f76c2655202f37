import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import { Link } from 'react-router'
import { classes } from './classes.ts'

const itemClass =
  'flex h-8 cursor-default items-center gap-2.5 rounded-sm px-2.5 text-sm text-ink outline-none select-none data-highlighted:bg-hover data-disabled:opacity-50 pointer-coarse:h-11'

/** A menu below its trigger; keyboard, typing ahead and focus return are the base's. */
export function Menu({
  trigger,
  children,
  align = 'end',
}: {
  trigger: ReactElement
  children: ReactNode
  align?: 'start' | 'end'
}) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} align={align} className="z-40 outline-none">
          <Base.Popup className="min-w-50 rounded-lg border border-line bg-panel p-1 shadow-float transition duration-120 ease-out outline-none data-ending-style:opacity-0 data-starting-style:opacity-0">
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

export function MenuItem({
  onSelect,
  danger = false,
  disabled = false,
  children,
}: {
  onSelect: () => void
  danger?: boolean
  disabled?: boolean
  children: ReactNode
}) {
  return (
    <Base.Item
      onClick={onSelect}
      disabled={disabled}
      className={classes(itemClass, danger && 'text-bad')}
    >
      {children}
    </Base.Item>
  )
}

export function MenuLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Base.LinkItem closeOnClick render={<Link to={to} />} className={itemClass}>
      {children}
    </Base.LinkItem>
  )
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <div className="px-2.5 pt-2 pb-1.5 text-xs text-ink-3">{children}</div>
}

export function MenuChoice({
  label,
  value,
  options,
  closes = false,
  onChange,
}: {
  label: string
  value: string
  options: readonly { value: string; label: ReactNode }[]
  /** Whether a choice ends the menu. */
  closes?: boolean
  onChange: (value: string) => void
}) {
  return (
    <Base.RadioGroup
      value={value}
      onValueChange={(next: unknown) => onChange(String(next))}
      aria-label={label}
    >
      <MenuLabel>{label}</MenuLabel>
      {options.map((option) => (
        <Base.RadioItem
          key={option.value}
          value={option.value}
          closeOnClick={closes}
          className={itemClass}
        >
          <span className="flex grow items-center gap-2.5">{option.label}</span>
          <Base.RadioItemIndicator className="text-brand-ink">✓</Base.RadioItemIndicator>
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  )
}

export function MenuSeparator() {
  return <Base.Separator className="mx-1 my-1 h-px bg-line" />
}
