import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { SearchField } from '../../ui/field.tsx'

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
        <SearchField
          label="Search your library"
          placeholder="Search your library: a spoken word, a shot, a name…"
          value={text}
          // The search page is opened to type into it.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus={isFocused}
          onValue={setText}
          className="grow"
        />
        <Button type="submit" size="md">
          Search
        </Button>
      </form>
    </search>
  )
}
