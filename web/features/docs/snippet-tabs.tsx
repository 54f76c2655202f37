import { useState } from 'react'
import { CodeBlock } from '../../ui/code-block.tsx'
import type { Snippet } from './snippets.ts'

/** The same journey in several languages. */
export function SnippetTabs({ snippets }: { snippets: readonly Snippet[] }) {
  const [chosen, setChosen] = useState(snippets[0]?.id)
  const snippet = snippets.find((item) => item.id === chosen)
  return (
    <div>
      <div role="group" aria-label="Language" className="mb-2 flex gap-1">
        {snippets.map((item) => (
          <button
            key={item.id}
            type="button"
            aria-pressed={item.id === chosen}
            onClick={() => setChosen(item.id)}
            className="h-7 rounded-md px-2.5 text-sm text-ink-2 hover:text-ink aria-pressed:bg-hover aria-pressed:text-ink pointer-coarse:h-11"
          >
            {item.title}
          </button>
        ))}
      </div>
      {snippet && <CodeBlock title={snippet.title} code={snippet.code} />}
    </div>
  )
}
