import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormEvent } from 'react'
import type { AccountLimit } from '../../../contract/account/billing.ts'
import { api } from '../../app/api.ts'
import { isMissingCall } from '../../app/failures.ts'
import { usd } from '../../app/format.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toast.tsx'

/** Limits the spending of the account in a month; hidden where the service has no limit. */
export function SpendLimitPanel() {
  const limit = useQuery({
    queryKey: ['spend-limit'],
    queryFn: ({ signal }) => api.getSpendLimit(undefined, { signal }),
  })
  if (isMissingCall(limit.error)) return null
  return (
    <Panel title="Monthly Spend Limit">
      {limit.isPending ? (
        <Skeleton className="h-16" />
      ) : limit.data ? (
        <LimitForm key={limit.data.monthly_usd} limit={limit.data} />
      ) : (
        <LoadFailure onRetry={() => void limit.refetch()} />
      )}
    </Panel>
  )
}

function LimitForm({ limit }: { limit: AccountLimit }) {
  const [amount, setAmount] = useState(limit.monthly_usd === null ? '' : String(limit.monthly_usd))
  const [error, setError] = useState<string>()
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: (monthly: number | null) => api.saveSpendLimit({ body: { monthly_usd: monthly } }),
    onSuccess: (saved) => {
      queries.setQueryData(['spend-limit'], saved)
      showToast({ type: 'success', title: 'Success', message: 'Spend limit saved' })
    },
    meta: { failure: { fallback: 'Failed to save the spend limit' } },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const text = amount.trim()
    const isAmount = text === '' || /^\d{1,6}(\.\d{1,2})?$/.test(text)
    setError(isAmount ? undefined : 'Enter dollars and cents, up to 999,999.99.')
    if (isAmount) save.mutate(text === '' ? null : Number(text))
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-wrap items-start gap-3">
      <TextField
        label="Limit ($ per month)"
        inputMode="decimal"
        className="w-48"
        value={amount}
        onChange={(event) => setAmount(event.target.value)}
        placeholder="No limit"
        error={error}
      />
      <Button type="submit" size="md" className="mt-6" busy={save.isPending}>
        Save
      </Button>
      <p className="w-full text-ink-2">
        {usd(limit.spent_usd)} spent or held by jobs this month, by you and all API keys. Jobs above
        the limit are refused before anything is charged.
      </p>
    </form>
  )
}
