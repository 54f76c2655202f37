import { Search } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { controlClass } from '../../ui/field.tsx'

/** Asks for words and findings of the whole library; the answer has its own address. */
export function SearchBox({ q = '', isFocused = false }: { q?: string; isFocused?: boolean }) {
  const navigate = useNavigate()
  const [text, setText] = useState(q)
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const asked = text.trim()
          if (asked) void navigate(`/search?${new URLSearchParams({ q: asked })}`)
        }}
        className="flex items-center gap-2"
      >
        <label className="relative grow">
          <Search
            size={14}
            aria-hidden
            className="absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-3"
          />
          <input
            type="search"
            aria-label="Search your library"
            placeholder="Search your library: a spoken word, a shot, a name…"
            maxLength={200}
            value={text}
            // The search page is opened to type into it.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus={isFocused}
            onChange={(event) => setText(event.target.value)}
            className={`${controlClass} pl-8!`}
          />
        </label>
        <Button type="submit" size="md">
          Search
        </Button>
      </form>
    </search>
  )
}
