import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Share } from '../../../../contract/footage/shares.ts'
import { api } from '../../../app/api.ts'
import { isMissingCall } from '../../../app/failures.ts'
import { counted, date } from '../../../app/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Select, TextField, controlClass } from '../../../ui/field.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { isBeingMade, proxyText } from './link-proxy.ts'

const lives = [
  { value: '1', label: '1 day' },
  { value: '7', label: '7 days' },
  { value: '14', label: '14 days' },
  { value: '30', label: '30 days' },
  { value: '365', label: '1 year' },
]
const dayMs = 86_400_000
const makingMs = 2000

export type SharedThing = { cut_id: string } | { job_id: string }

/** Makes links to a cut or a review, and revokes them. */
export function ShareDialog({
  thing,
  name,
  beforeShare,
  onClose,
}: {
  thing: SharedThing
  name: string
  /** Saves first, since the server's version is shared; false where that failed. */
  beforeShare: () => Promise<boolean>
  onClose: () => void
}) {
  const queries = useQueryClient()
  const [days, setDays] = useState('14')
  const [password, setPassword] = useState('')
  const [link, setLink] = useState<string | null>(null)
  const refresh = () => void queries.invalidateQueries({ queryKey: ['shares'] })
  const make = useMutation({
    mutationFn: async () => {
      if (!(await beforeShare())) return null
      return await api.createShare({
        body: {
          ...thing,
          expires_at: new Date(Date.now() + Number(days) * dayMs).toISOString(),
          ...(password ? { password } : {}),
        },
      })
    },
    onSuccess: (answer) => {
      if (!answer) return
      setLink(answer.url)
      setPassword('')
      refresh()
    },
    meta: { failure: { title: 'No link made' } },
  })
  return (
    <Dialog
      onClose={onClose}
      title={`Share “${name}”`}
      description="Anyone with the link can watch and comment, without an account. They get a copy of what plays; nothing else of yours is shown."
      footer={
        <Button look="primary" busy={make.isPending} onClick={() => make.mutate()}>
          Make a link
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        {link && <NewLink url={link} />}
        <div className="grid gap-3 sm:grid-cols-2">
          <Select
            label="Open for"
            value={days}
            options={lives}
            onChange={(event) => setDays(event.target.value)}
          />
          <TextField
            label="Password (optional)"
            type="password"
            autoComplete="new-password"
            value={password}
            maxLength={200}
            onChange={(event) => setPassword(event.target.value)}
          />
        </div>
        <Links thing={thing} onChange={refresh} />
      </div>
    </Dialog>
  )
}

function NewLink({ url }: { url: string }) {
  return (
    <div className="flex flex-col gap-1">
      <p className="font-medium">The link. It is shown once.</p>
      <div className="flex gap-2">
        <input
          readOnly
          aria-label="Link"
          value={url}
          onFocus={(event) => event.target.select()}
          className={`${controlClass} timecode`}
        />
        <CopyButton text={url} label="Copy the link" />
      </div>
    </div>
  )
}

function Links({ thing, onChange }: { thing: SharedThing; onChange: () => void }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['shares', thing],
    queryFn: ({ signal }) => api.listShares({ query: thing }, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.shares.some(({ proxy }) => isBeingMade(proxy)) ? makingMs : false,
  })
  if (error) {
    return isMissingCall(error) ? null : <LoadFailure onRetry={() => void refetch()} />
  }
  if (!data) return <Skeleton className="h-10" />
  if (data.shares.length === 0) return <p className="text-ink-3">No links yet.</p>
  return (
    <ul className="divide-y divide-line border-y border-line">
      {data.shares.map((share) => (
        <LinkRow key={share.id} share={share} onChange={onChange} />
      ))}
    </ul>
  )
}

function LinkRow({ share, onChange }: { share: Share; onChange: () => void }) {
  const revoke = useMutation({
    mutationFn: () => api.revokeShare({ params: { id: share.id } }),
    onSuccess: onChange,
    meta: { failure: { title: 'Not revoked' } },
  })
  const [openedMs] = useState(Date.now)
  const isEnded = share.revoked_at !== null || new Date(share.expires_at).getTime() < openedMs
  return (
    <li className="flex items-center gap-3 py-2">
      <span className="min-w-0 grow">
        <span className="block">
          Made {date(share.created_at)}
          {share.has_password && <span className="text-ink-3"> · password</span>}
        </span>
        <span className="block text-xs text-ink-3">
          {share.revoked_at
            ? `Revoked ${date(share.revoked_at)}`
            : `${isEnded ? 'Ended' : 'Open until'} ${date(share.expires_at)}`}
          {' · '}
          {counted(share.comment_count, 'comment')}
        </span>
        {share.proxy && <span className="block text-xs text-ink-3">{proxyText(share.proxy)}</span>}
      </span>
      {isEnded ? (
        <Badge>{share.revoked_at ? 'Revoked' : 'Ended'}</Badge>
      ) : (
        <Button busy={revoke.isPending} onClick={() => revoke.mutate()}>
          Revoke
        </Button>
      )}
    </li>
  )
}
