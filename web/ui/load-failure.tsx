import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

/** Stands where a list would, when the list did not come: it is not empty, only not here. */
export function LoadFailure({ onRetry }: { onRetry: () => void }) {
  return (
    <EmptyState title="Couldn’t load this" action={<Button onClick={onRetry}>Try again</Button>}>
      Nothing is lost. Check your connection and try again.
    </EmptyState>
  )
}
