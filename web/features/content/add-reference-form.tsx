import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ContentItem } from '../../app/answers.ts'
import type { Place } from '../../../contract/footage/content.ts'
import { CallError } from '../../../contract/endpoint.ts'
import { api } from '../../app/api.ts'
import { messageOf, showFailure } from '../../app/failures.ts'
import { useCheckedForm } from '../../saved/checked-form.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { addReference } from './add-reference.ts'
import { refreshLibrary } from './library.ts'

export function AddReferenceForm({
  place,
  onAdded,
}: {
  place?: Place | undefined
  onAdded: () => void
}) {
  const [url, setUrl] = useState('')
  const [name, setName] = useState('')
  const queries = useQueryClient()
  const { formRef, errorOf, unmark, onSubmit, isSending } = useCheckedForm<'url', Added>({
    check() {
      if (url.trim()) return null
      const message = 'Please enter a URL'
      return { field: 'url', title: 'Validation Error', message, note: 'Enter a URL.' }
    },
    send() {
      const named = name.trim()
      const body = { url: url.trim(), ...(named ? { name: named } : {}) }
      return addReference(api, body, place)
    },
    async onSent({ content, moveError }) {
      showAdded(content)
      if (moveError) {
        const fallback = 'It is in your library, in no project.'
        showFailure(moveError, { title: 'Not moved', fallback })
      }
      onAdded()
      await refreshLibrary(queries)
    },
    complaintOf(error) {
      if (!(error instanceof CallError) || error.status !== 422) return null
      const message = messageOf(error, 'Failed to add URL reference')
      return { field: 'url', title: 'Error', message, note: 'Check the URL.' }
    },
    onRefused: showRefusal,
  })
  return (
    <form ref={formRef} noValidate className="flex flex-col gap-4 pt-4" onSubmit={onSubmit}>
      <TextField
        label="URL"
        type="url"
        placeholder="https://example.com/interview.mov"
        hint="A public link to a media file or a YouTube video."
        value={url}
        error={errorOf('url')}
        onChange={(event) => {
          setUrl(event.target.value)
          unmark('url')
        }}
      />
      <TextField
        label="Name (optional)"
        value={name}
        maxLength={255}
        onChange={(event) => setName(event.target.value)}
      />
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={isSending}>
          {isSending ? 'Checking...' : 'Add URL'}
        </Button>
      </div>
    </form>
  )
}

type Added = Awaited<ReturnType<typeof addReference>>

/** Says whether the address answered with media. */
function showAdded({ check }: ContentItem): void {
  if (!check || check.state === 'ready') {
    showToast({ type: 'success', title: 'Success', message: 'URL reference added' })
  } else {
    const message = check.message ?? 'Added, but the URL didn’t respond.'
    showToast({ type: 'warning', title: 'URL reference added', message })
  }
}

/** Section 8 of the specification, to the letter. */
function showRefusal(error: Error): void {
  const code = error instanceof CallError ? error.code : 'network'
  if (code === 'duplicate') {
    const message = messageOf(error, 'This URL already exists in your library')
    showToast({ type: 'warning', title: 'Duplicate URL', message })
  } else {
    const isUnreached = code === 'network'
    const fallback = isUnreached
      ? 'Network error. Please try again.'
      : 'Failed to add URL reference'
    showFailure(error, { fallback })
  }
}
