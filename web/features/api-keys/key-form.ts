import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ChangeEvent } from 'react'
import { keys } from '../../app/queries.ts'
import { useCheckedForm } from '../../saved/checked-form.ts'
import { findKeyProblem, optionProblemOf } from './key-options.tsx'
import type { KeyOptions, OptionField } from './key-options.tsx'

/** The name and the options of a key, as they are typed, checked and sent. */
export function useKeyForm<Answer>(
  start: { name: string; options: KeyOptions },
  input: {
    send: (name: string, options: KeyOptions) => Promise<Answer>
    onSent: (answer: Answer) => void
    fallback: string
  },
) {
  const queries = useQueryClient()
  const [name, setName] = useState(start.name)
  const [options, setOptions] = useState(start.options)
  const form = useCheckedForm<'name' | OptionField, Answer>({
    check: () => findKeyProblem(name, options),
    send: () => input.send(name.trim(), options),
    async onSent(answer) {
      input.onSent(answer)
      await queries.invalidateQueries({ queryKey: keys.apiKeys })
    },
    complaintOf: optionProblemOf,
    fallback: input.fallback,
  })
  const { formRef, onSubmit, isSending, errorOf, unmark } = form
  return {
    formProps: { ref: formRef, onSubmit, noValidate: true },
    isSending,
    nameProps: {
      label: 'Key name',
      value: name,
      maxLength: 100,
      error: errorOf('name'),
      onChange(event: ChangeEvent<HTMLInputElement>) {
        setName(event.target.value)
        unmark('name')
      },
    },
    optionProps: {
      options,
      errorOf,
      onChange(changed: KeyOptions) {
        setOptions(changed)
        unmark('limit')
        unmark('addresses')
      },
    },
  }
}
