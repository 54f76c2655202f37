import { BarChart3, CreditCard, RefreshCw, Shield, UserRound, Wallet } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
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
}

/** The left menu; each entry sets the hash, so that every section has an address of its own. */
export function SectionMenu({ selected }: { selected: SectionId }) {
  return (
    <nav
      aria-label="Profile sections"
      className="-mx-4 overflow-x-auto px-4 md:m-0 md:overflow-visible md:p-0"
    >
      <ul className="flex gap-1 md:sticky md:top-16 md:flex-col">
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
