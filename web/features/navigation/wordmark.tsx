import { Link } from 'react-router'
import { useSession } from '../../app/session.tsx'

/** Two shots and the cut between them; leads home, which for a user is the dashboard. */
export function Wordmark() {
  const { token } = useSession()
  return (
    <Link
      to={token ? '/dashboard' : '/'}
      className="flex items-center gap-2 rounded-sm text-base font-semibold tracking-tight"
    >
      <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
        <rect x="1" y="4" width="6" height="10" rx="1" className="fill-lane-shot-a" />
        <rect x="11" y="4" width="6" height="10" rx="1" className="fill-lane-shot-b" />
        <rect x="8" y="0" width="2" height="18" rx="1" className="fill-lane-cut" />
      </svg>
      CutIndex
    </Link>
  )
}
