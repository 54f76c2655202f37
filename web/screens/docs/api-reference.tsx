import { startTransition, useCallback, useEffect, useState } from 'react'
import { loadReference } from '../../features/docs/openapi.ts'
import type { Operation, Reference } from '../../features/docs/openapi.ts'
import { OperationView } from '../../features/docs/operation-view.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { TextField } from '../../ui/field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** The reference, rendered from the server's own description. */
export function ApiReference() {
  const { reference, failed, retry } = useReference()
  const [wanted, setWanted] = useState('')
  useEffect(() => {
    if (reference && location.hash) {
      document.getElementById(location.hash.slice(1))?.scrollIntoView()
    }
  }, [reference])
  const groups = reference ? filterGroups(reference, wanted) : []
  return (
    <div className="measure grid min-h-dvh content-start gap-x-10 gap-y-6 py-10 lg:grid-cols-[240px_1fr]">
      <aside className="self-start lg:sticky lg:top-16 lg:flex lg:max-h-[calc(100dvh-80px)] lg:flex-col">
        <TextField
          label="Find a call"
          type="search"
          placeholder="jobs, export, POST…"
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
        <nav
          aria-label="Calls"
          className="mt-4 hidden min-h-0 overflow-y-auto pb-4 lg:block"
          tabIndex={0}
        >
          {groups.map((group) => (
            <div key={group.tag} className="mb-3">
              <p className="font-medium">{group.tag}</p>
              <ul>
                {group.operations.map((operation) => (
                  <li key={operation.id}>
                    <a
                      href={`#${operation.id}`}
                      className="block py-1 text-xs text-pretty text-ink-2 hover:text-ink"
                    >
                      {operation.summary}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </aside>
      <div className="min-w-0">
        <h1 className="text-2xl font-semibold tracking-tight">API reference</h1>
        <p className="mt-2 text-md text-ink-2">
          Rendered from{' '}
          <a href="/openapi.yaml" className="text-brand-ink underline underline-offset-2">
            openapi.yaml
          </a>
          {reference && `, version ${reference.version}`}. All paths are relative to the address of
          your environment.
        </p>
        {!reference && !failed && <Waiting />}
        {failed && (
          <div className="mt-8">
            <EmptyState
              title="The description could not be loaded"
              action={<Button onClick={retry}>Try again</Button>}
            >
              The server did not answer with openapi.yaml.
            </EmptyState>
          </div>
        )}
        {groups.map((group) => (
          <section key={group.tag} aria-label={group.tag} className="mt-10">
            <h2 className="text-lg font-semibold tracking-tight">{group.tag}</h2>
            <p className="mb-4 text-ink-2">{group.description}</p>
            {group.operations.map((operation) => (
              <OperationView
                key={operation.id}
                operation={operation}
                schemas={reference?.schemas ?? {}}
              />
            ))}
          </section>
        ))}
        {reference && groups.length === 0 && (
          <p className="mt-8 text-md text-ink-2">No call matches “{wanted}”.</p>
        )}
      </div>
    </div>
  )
}

function Waiting() {
  return (
    <div role="status" className="mt-8 flex flex-col gap-3">
      <span className="sr-only">Loading the description</span>
      <Skeleton className="h-6 w-1/3" />
      <Skeleton className="h-24" />
      <Skeleton className="h-24" />
    </div>
  )
}

function useReference() {
  const [reference, setReference] = useState<Reference | null>(null)
  const [failed, setFailed] = useState(false)
  const load = useCallback((signal?: AbortSignal) => {
    loadReference(signal).then(
      // A hundred calls are drawn in slices, between what the reader does.
      (loaded) => startTransition(() => setReference(loaded)),
      () => !signal?.aborted && setFailed(true),
    )
  }, [])
  useEffect(() => {
    const stop = new AbortController()
    load(stop.signal)
    return () => stop.abort()
  }, [load])
  const retry = () => {
    setFailed(false)
    load()
  }
  return { reference, failed, retry }
}

function filterGroups(reference: Reference, wanted: string): Reference['groups'] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = (operation: Operation) => {
    const text =
      `${operation.method} ${operation.path} ${operation.summary} ${operation.tag}`.toLowerCase()
    return words.every((word) => text.includes(word))
  }
  return reference.groups
    .map((group) => ({ ...group, operations: group.operations.filter(matches) }))
    .filter((group) => group.operations.length > 0)
}
