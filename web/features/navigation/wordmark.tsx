import { Link } from 'react-router'
import { useSession } from '../../session/session.tsx'
import { Mark } from '../../ui/mark.tsx'

/** Leads home, which for a user is the dashboard. */
export function Wordmark({ isShort = false }: { isShort?: boolean }) {
  const { token } = useSession()
  return (
    <Link
      to={token ? '/dashboard' : '/'}
      className="flex items-center gap-2 rounded-sm text-base font-semibold tracking-tight pointer-coarse:min-h-11"
    >
      <Mark size={18} />
      <span className={isShort ? 'max-sm:sr-only' : ''}>CutIndex</span>
    </Link>
  )
}
