import { useState } from 'react'
import type { Ref } from 'react'
import { useNavigate } from 'react-router'
import { Kbd } from '../../keys/kbd.tsx'
import { Button } from '../../ui/button.tsx'
import { SearchField } from '../../ui/field.tsx'

/** Asks for words and findings of the whole library; the answer has its own address. */
export function SearchBox({
  q = '',
  isFocused = false,
  isInBar = false,
  field,
}: {
  q?: string
  isFocused?: boolean
  /** Enter asks; there is no room for a button. */
  isInBar?: boolean
  field?: Ref<HTMLInputElement>
}) {
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
          ref={field}
          label="Search your library"
          placeholder="Search your library: a spoken word, a shot, a name…"
          value={text}
          // The search page is opened to type into it.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus={isFocused}
          onValue={setText}
          className="grow"
        >
          {isInBar && text === '' && (
            <span aria-hidden className="absolute top-1/2 right-1.5 -translate-y-1/2">
              <Kbd>Ctrl K</Kbd>
            </span>
          )}
        </SearchField>
        {!isInBar && (
          <Button type="submit" size="md">
            Search
          </Button>
        )}
      </form>
    </search>
  )
}
