import { QueryClientProvider, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { api } from '../../app/api.ts'
import { createQueryClient } from '../../app/query-client.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Absent, MessagePage } from '../message-page.tsx'

/** The link of an e-mail leads here: stops or resumes one kind of message without a login. */
export function Unsubscribe() {
  // Public pages have no cache of data calls; this one brings its own.
  const [queries] = useState(() => createQueryClient())
  return (
    <QueryClientProvider client={queries}>
      <Choice />
    </QueryClientProvider>
  )
}

function Choice() {
  const [search] = useSearchParams()
  const token = search.get('token') ?? ''
  const queries = useQueryClient()
  const queryKey = ['mail-subscription', token]
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.getMailSubscription({ query: { token } }, { signal }),
    retry: false,
  })
  const save = useMutation({
    mutationFn: (wanted: boolean) => api.saveMailSubscription({ body: { token, wanted } }),
    onSuccess: (saved) => queries.setQueryData(queryKey, saved),
    meta: { failure: {} },
  })
  if (error && !data) {
    return (
      <Absent noun="e-mail settings" error={error} onRetry={refetch}>
        <MessagePage
          label="E-mail"
          title="This link is not valid"
          actions={<ButtonLink to="/profile#account">Choose your e-mails</ButtonLink>}
        >
          <p>It may be cut short. You can switch every kind of e-mail off in your profile.</p>
        </MessagePage>
      </Absent>
    )
  }
  const about = data?.subscription
  if (!about) {
    return (
      <MessagePage label="E-mail" title="Stop this kind of e-mail?">
        <Skeleton className="h-16" />
      </MessagePage>
    )
  }
  return (
    <MessagePage
      label="E-mail"
      title={about.wanted ? `Stop “${about.name}” e-mails?` : `“${about.name}” e-mails are off`}
      actions={
        <>
          <Button
            look={about.wanted ? 'primary' : undefined}
            size="md"
            busy={save.isPending}
            onClick={() => save.mutate(!about.wanted)}
          >
            {about.wanted ? 'Unsubscribe' : 'Send them again'}
          </Button>
          <ButtonLink to="/profile#account" size="md">
            All e-mail settings
          </ButtonLink>
        </>
      }
    >
      <p>{about.description}</p>
      {!about.wanted && <p className="mt-2">You’re unsubscribed. Other e-mails continue.</p>}
    </MessagePage>
  )
}
