import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { useSearchParams } from 'react-router'
import type { Scope } from '../../contract/endpoint.ts'
import { api } from '../app/api.ts'
import { messageOf } from '../app/failures.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { TextField } from '../ui/field.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { MessagePage } from './message-page.tsx'

const scopeTexts: Record<Scope, string> = {
  'content:read': 'See your library, projects and cuts',
  'content:write': 'Add, change and delete items, projects and cuts',
  'jobs:read': 'Ask for quotes; read jobs, findings and exports',
  'jobs:write': 'Start analyses that cost credit; cancel and delete jobs',
  search: 'Search your library',
  'billing:read': 'See your balance and what was spent',
  webhooks: 'Manage webhooks',
}

const presetLimitUsd = '5'

type Request = Parameters<typeof api.readOauthRequest>[0]['query']

/** The parameters of a request; others are ignored, as the standard wants it. */
const names: readonly string[] = [
  'client_id',
  'redirect_uri',
  'response_type',
  'code_challenge',
  'code_challenge_method',
  'scope',
  'state',
  'resource',
] satisfies (keyof Request)[]

/** A program asks for access; a person decides what it may do and spend. */
export function OauthAuthorize() {
  const [search] = useSearchParams()
  const known = [...search].filter(([name]) => names.includes(name))
  const request = Object.fromEntries(known) as Request
  const asked = useQuery({
    queryKey: ['oauth-request', search.toString()],
    queryFn: ({ signal }) => api.readOauthRequest({ query: request }, { signal }),
  })
  if (asked.isPending) {
    return (
      <MessagePage label="Access" title="A program asks for access">
        <Skeleton className="h-40" />
      </MessagePage>
    )
  }
  if (asked.isError) {
    return (
      <MessagePage
        label="Access"
        title="This request can’t be answered"
        actions={<ButtonLink to="/dashboard">Back to Dashboard</ButtonLink>}
      >
        <p>{messageOf(asked.error, 'Check your connection and try again.')}</p>
        <p className="mt-2">Access was not granted. Return to the app and try again.</p>
      </MessagePage>
    )
  }
  return <Consent request={request} {...asked.data} />
}

function Consent({
  request,
  client_name: name,
  returns_to: target,
  scopes,
}: {
  request: Request
  client_name: string
  returns_to: string
  scopes: readonly Scope[]
}) {
  const [chosen, setChosen] = useState<readonly Scope[]>(scopes)
  const [limit, setLimit] = useState(presetLimitUsd)
  const allow = useMutation({
    mutationFn: () =>
      api.allowOauthRequest({
        body: { ...request, scopes: [...chosen], monthly_limit_usd: Number(limit) },
      }),
    onSuccess: ({ redirect_to: address }) => location.assign(address),
  })
  const isAmount = /^\d{1,6}(\.\d{1,2})?$/.test(limit.trim())
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isAmount && chosen.length > 0) allow.mutate()
  }
  return (
    <MessagePage label="Access" title={`Allow “${name}” to use your account?`}>
      <p>
        The name was chosen by the program. It sends you back to <strong>{target}</strong>. Allow it
        only if you just started this there.
      </p>
      <form onSubmit={submit} className="mt-6 flex flex-col gap-5">
        <ScopeChoice scopes={scopes} chosen={chosen} onChange={setChosen} />
        <TextField
          label="Spend limit per month, in US dollars"
          inputMode="decimal"
          value={limit}
          onChange={(event) => setLimit(event.target.value)}
          error={isAmount ? undefined : 'Enter an amount such as 5 or 12.50'}
          hint="Its jobs never cost more than this in a month. 0: it can start nothing that costs."
        />
        {allow.isError && (
          <p role="alert" className="text-base text-bad">
            {messageOf(allow.error, 'Couldn’t allow it. Check your connection and try again.')}
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <Button
            type="submit"
            look="primary"
            disabled={allow.isPending || allow.isSuccess || chosen.length === 0 || !isAmount}
          >
            Allow
          </Button>
          <Button onClick={() => location.assign(refusalAddress(request))}>Refuse</Button>
        </div>
        <p className="text-sm text-ink-3">
          It gets an API key that ends after 90 days. Delete it any time under Profile, Security,
          API keys.
        </p>
      </form>
    </MessagePage>
  )
}

function ScopeChoice({
  scopes,
  chosen,
  onChange,
}: {
  scopes: readonly Scope[]
  chosen: readonly Scope[]
  onChange: (chosen: Scope[]) => void
}) {
  const toggle = (scope: Scope, isOn: boolean): void =>
    onChange(scopes.filter((item) => (item === scope ? isOn : chosen.includes(item))))
  return (
    <fieldset className="text-sm">
      <legend className="mb-1 text-base font-semibold text-ink">It may</legend>
      {scopes.map((scope) => (
        <Checkbox
          key={scope}
          label={scopeTexts[scope]}
          checked={chosen.includes(scope)}
          onChange={(event) => toggle(scope, event.target.checked)}
        />
      ))}
    </fieldset>
  )
}

/** The address was checked by the service before anything was shown. */
function refusalAddress({ redirect_uri: address, state }: Request): string {
  const target = new URL(address)
  target.searchParams.set('error', 'access_denied')
  if (state !== undefined) target.searchParams.set('state', state)
  return target.href
}
