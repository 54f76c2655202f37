import { part } from '../app/later.tsx'
import { Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { SearchHit } from '../../contract/footage/search.ts'
import { clipOfHit } from '../features/cuts/hit-range.ts'
import { SearchBox } from '../features/search/search-box.tsx'
import { SearchResults } from '../features/search/search-results.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Panel } from '../ui/panel.tsx'

const AddToCutDialog = part(() => import('../features/cuts/add-to-cut.tsx'), 'AddToCutDialog')

/** /search?q=: every word and finding of the library, to the frame. */
export function Search() {
  const [params] = useSearchParams()
  const [added, setAdded] = useState<readonly SearchHit[]>([])
  const q = (params.get('q') ?? '').trim().slice(0, 200)
  return (
    <div className="mx-auto flex w-full max-w-350 flex-col gap-4 p-4">
      <h1 className="sr-only">Search</h1>
      <SearchBox key={q} q={q} isFocused={q === ''} />
      <Panel title={q ? `Results for “${q}”` : 'Search'}>
        {q ? (
          <SearchResults key={q} q={q} onAddToCut={setAdded} />
        ) : (
          <EmptyState title="Search your whole library">
            Type a spoken word, a kind of shot, or part of a file’s name. A hit opens the footage at
            its frame.
          </EmptyState>
        )}
      </Panel>
      <Suspense fallback={null}>
        {added.length > 0 && (
          <AddToCutDialog
            clips={added.flatMap((hit) => clipOfHit(hit) ?? [])}
            onClose={() => setAdded([])}
          />
        )}
      </Suspense>
    </div>
  )
}
