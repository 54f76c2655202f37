import { BarChart3, CreditCard, RefreshCw, Shield, UserRound, Wallet, Webhook } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { classes } from '../../ui/classes.ts'
import { sections } from './sections.ts'
import type { SectionId } from './sections.ts'

const icons: Record<SectionId, LucideIcon> = {
  account: UserRound,
  billing: Wallet,
  autoreload: RefreshCw,
  usage: BarChart3,
  security: Shield,
  paymentmethods: CreditCard,
  webhooks: Webhook,
}

/** The left menu; each entry sets the hash, so that every section has an address of its own. */
export function SectionMenu({ selected }: { selected: SectionId }) {
  const menu = useRef<HTMLElement>(null)
  useEffect(() => show(menu.current, selected), [selected])
  return (
    <nav
      ref={menu}
      aria-label="Profile sections"
      className="-mx-4 scroll-bare overflow-x-auto max-md:[mask-image:linear-gradient(90deg,black_calc(100%-24px),transparent)] md:m-0 md:overflow-visible"
    >
      <ul className="flex w-max gap-1 px-4 md:sticky md:top-16 md:w-auto md:flex-col md:p-0">
        {sections.map(({ id, label }) => {
          const Icon = icons[id]
          return (
            <li key={id}>
              <Link
                to={`#${id}`}
                aria-current={id === selected ? 'page' : undefined}
                className={classes(
                  'flex h-8 items-center gap-2.5 rounded-md px-2.5 font-medium whitespace-nowrap transition-colors duration-120 pointer-coarse:h-11',
                  id === selected
                    ? 'bg-brand-wash text-brand-ink'
                    : 'text-ink-2 hover:bg-hover hover:text-ink',
                )}
              >
                <Icon size={14} aria-hidden />
                {label}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

/** Scrolls the chosen section into view where the menu is wider than the screen. */
function show(menu: HTMLElement | null, id: SectionId): void {
  const chosen = menu?.querySelector<HTMLElement>(`[href$="#${id}"]`)
  if (!menu || !chosen) return
  const box = chosen.getBoundingClientRect()
  const frame = menu.getBoundingClientRect()
  menu.scrollLeft += box.left + box.width / 2 - (frame.left + frame.width / 2)
}
