import { defaultMemberSinceYear } from '../../contract/catalogue.ts'
import { formatUsd, fromUsdNumber } from '../../contract/money.ts'
import { useMe } from '../features/account/me.ts'
import { useSession } from '../session.tsx'
import { Avatar } from '../ui/avatar.tsx'

export function Profile() {
  const { data } = useMe()
  const { user } = useSession()
  const name = user?.name || user?.username || ''
  const since = user?.createdAt ? new Date(user.createdAt).getUTCFullYear() : defaultMemberSinceYear
  return (
    <div className="p-4">
      <header className="flex flex-wrap items-center gap-4 rounded-lg border border-line bg-panel p-5">
        <Avatar name={name} picture={user?.picture} size={64} />
        <div className="min-w-0 grow">
          <h1 className="text-lg font-semibold tracking-tight">{name}</h1>
          <p className="text-ink-2">{user?.email}</p>
          <p className="text-ink-3">Member since {since}</p>
        </div>
        {data && (
          <p className="timecode text-xl">{formatUsd(fromUsdNumber(data.account_balance_usd))}</p>
        )}
      </header>
    </div>
  )
}
