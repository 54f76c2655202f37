import { BarChart3, KeyRound, Plus, Sparkles, Tag } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
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
      <ul className="grid grid-cols-2 gap-3 md:grid-cols-5 max-md:[&>li:first-child]:col-span-2">
        <Action Icon={Sparkles} label="Create Job" onSelect={onCreateJob} isMain />
        <Action Icon={Plus} label="Add Content" onSelect={onAddContent} />
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
  onSelect,
  isMain = false,
}: {
  Icon: LucideIcon
  label: string
  onSelect: () => void
  isMain?: boolean
}) {
  return (
    <li>
      <button
        type="button"
        onClick={onSelect}
        className={
          isMain
            ? 'flex h-11 w-full items-center gap-2.5 rounded-lg bg-brand px-4 font-semibold text-on-brand transition-colors duration-120 hover:bg-brand-hover'
            : 'flex h-11 w-full items-center gap-2.5 rounded-lg border border-line bg-panel px-4 font-medium transition-colors duration-120 hover:border-line-strong hover:bg-hover'
        }
      >
        <Icon size={16} aria-hidden />
        {label}
      </button>
    </li>
  )
}
