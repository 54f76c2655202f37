import { BarChart3, KeyRound, Plus, Sparkles, Tag } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { Kbd } from '../../keys/kbd.tsx'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.tsx'

/** The usual actions in one row. */
export function QuickActions({
  onCreateJob,
  onAddContent,
  onApiKeys,
  onPricing,
}: {
  onCreateJob: () => void
  onAddContent: () => void
  onApiKeys: () => void
  onPricing: () => void
}) {
  const analytics = () =>
    showToast({ type: 'info', title: 'Coming Soon', message: 'Analytics feature coming soon!' })
  return (
    <section aria-label="Quick actions">
      <ul className="-mx-4 flex scroll-bare gap-2 overflow-x-auto px-4 max-sm:-mx-3 max-sm:px-3">
        <Action Icon={Plus} label="Add Content" hint="U" onSelect={onAddContent} isMain />
        <Action Icon={Sparkles} label="Create Job" hint="W" onSelect={onCreateJob} />
        <Action Icon={KeyRound} label="API Keys" onSelect={onApiKeys} />
        <Action Icon={Tag} label="Pricing" onSelect={onPricing} />
        <Action Icon={BarChart3} label="Analytics" onSelect={analytics} />
      </ul>
    </section>
  )
}

function Action({
  Icon,
  label,
  hint,
  onSelect,
  isMain = false,
}: {
  Icon: LucideIcon
  label: string
  hint?: string
  onSelect: () => void
  isMain?: boolean
}) {
  return (
    <li className="grow basis-0">
      <Button
        look={isMain ? 'primary' : 'secondary'}
        onClick={onSelect}
        className="h-9! w-full justify-start! px-4! pointer-coarse:h-11!"
      >
        <Icon size={14} aria-hidden /> {label}
        {hint && (
          <span aria-hidden>
            <Kbd>{hint}</Kbd>
          </span>
        )}
      </Button>
    </li>
  )
}
