import { Component, useEffect } from 'react'
import type { ReactNode } from 'react'
import { reloadOnce } from '../app/later.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { MessagePage } from './message-page.tsx'

interface Props {
  /** A crash is forgotten when this changes: another page may well work. */
  path: string
  children: ReactNode
}

interface State {
  path: string
  error: Error | null
}

/** Catches what a screen throws, so that the bar and the ways on stay. */
export class CrashBoundary extends Component<Props, State> {
  override state: State = { path: this.props.path, error: null }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  static getDerivedStateFromProps(props: Props, state: State): State {
    return props.path === state.path ? state : { path: props.path, error: null }
  }

  override render(): ReactNode {
    return this.state.error ? <Crash error={this.state.error} /> : this.props.children
  }
}

function Crash({ error }: { error: Error }) {
  const outdated = isMissingScreen(error)
  useEffect(() => {
    if (outdated) reloadOnce()
  }, [outdated])
  return (
    <MessagePage
      label="Error"
      title={outdated ? 'This part could not be loaded' : 'This screen stopped working'}
      actions={
        <>
          <Button look="primary" onClick={() => location.reload()}>
            Reload
          </Button>
          <ButtonLink to="/">Go to the start</ButtonLink>
        </>
      }
    >
      <p>
        {outdated
          ? 'You’re offline, or this page is from an earlier release. Reload to get the current one.'
          : 'The fault is ours. Your content, jobs and credits are stored on the server and not affected.'}
      </p>
      <details className="mt-4 text-sm">
        <summary>Details for support</summary>
        <pre className="mt-2 overflow-x-auto rounded-md bg-raised p-3 text-xs">
          {error.name}: {error.message}
        </pre>
      </details>
    </MessagePage>
  )
}

function isMissingScreen(error: Error): boolean {
  return error instanceof TypeError && /import|module script|fetch/i.test(error.message)
}
