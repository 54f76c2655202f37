import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ContentItem } from '../../app/answers.ts'
import { CallError } from '../../../contract/endpoint.ts'
import { api } from '../../app/api.ts'
import { messageOf, showFailure } from '../../app/failures.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { useFormProblem } from '../../ui/form-problem.ts'
import { showToast } from '../../ui/toast.tsx'
import { addReference } from './add-reference.ts'
import { refreshLibrary } from './library.ts'

export function AddReferenceForm({
  projectId = null,
  onAdded,
}: {
  projectId?: string | null
  onAdded: () => void
}) {
  const [url, setUrl] = useState('')
  const [name, setName] = useState('')
  const queries = useQueryClient()
  const { formRef, errorOf, complain, unmark } = useFormProblem<'url'>()
  const add = useMutation({
    mutationFn: () => {
      const named = name.trim()
      const body = { url: url.trim(), ...(named ? { name: named } : {}) }
      return addReference(api, body, projectId)
    },
    onSuccess: async ({ content, moveError }) => {
      showAdded(content)
      if (moveError) {
        showFailure(moveError, {
          title: 'Not moved',
          fallback: 'It is in your library, in no project.',
        })
      }
      onAdded()
      await refreshLibrary(queries)
    },
    onError: (error) => {
      const isRefused = error instanceof CallError && error.status === 422
      const message = messageOf(error, 'Failed to add URL reference')
      if (isRefused) complain({ field: 'url', title: 'Error', message, note: 'Check the URL.' })
      else showRefusal(error)
    },
  })
  const submit = () => {
    if (url.trim()) add.mutate()
    else {
      complain({
        field: 'url',
        title: 'Validation Error',
        message: 'Please enter a URL',
        note: 'Enter a URL.',
      })
    }
  }
  return (
    <form
      ref={formRef}
      noValidate
      className="flex flex-col gap-4 pt-4"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
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
        <Button type="submit" look="primary" busy={add.isPending}>
          {add.isPending ? 'Checking...' : 'Add URL'}
        </Button>
      </div>
    </form>
  )
}

/** Shows what was found at the address. */
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
