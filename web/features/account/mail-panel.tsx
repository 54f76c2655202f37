import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { mailKinds } from '../../../domain/mail-kinds.ts'
import type { MailKind } from '../../../domain/mail-kinds.ts'
import { api } from '../../app/api.ts'
import { isMissingCall } from '../../app/failures.ts'
import { keys } from '../../app/queries.ts'
import { Switch } from '../../ui/checkbox.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

const queryKey = keys.preferences

/** Which e-mails are sent; each switch saves by itself. */
export function MailPanel() {
  const queries = useQueryClient()
  const { data, isPending, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.getPreferences(undefined, { signal }),
  })
  const save = useMutation({
    mutationFn: (choice: { kind: MailKind; wanted: boolean }) =>
      api.savePreferences({ body: { mail: { [choice.kind]: choice.wanted } } }),
    onSuccess: (saved) => queries.setQueryData(queryKey, saved),
    meta: { failure: {} },
  })
  // A service without preferences sends no e-mail.
  if (isMissingCall(error)) return null
  const choices = data?.preferences.mail
  return (
    <Panel title="E-mail">
      {isPending ? (
        <Skeleton className="h-40" />
      ) : !choices ? (
        <LoadFailure onRetry={() => void refetch()} />
      ) : (
        <ul className="divide-y divide-line">
          {mailKinds.map((kind) => {
            const isSaving = save.isPending && save.variables.kind === kind.id
            const wanted = isSaving ? save.variables.wanted : choices[kind.id]
            return (
              <li key={kind.id} className="py-2 first:pt-0 last:pb-0">
                <Switch
                  label={kind.name}
                  checked={wanted ?? kind.standard}
                  onChange={(event) =>
                    save.mutate({ kind: kind.id, wanted: event.currentTarget.checked })
                  }
                />
                <p className="-mt-0.5 pb-1 pl-10.5 text-xs text-ink-3">{kind.description}</p>
              </li>
            )
          })}
        </ul>
      )}
    </Panel>
  )
}
