import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { showFailure } from '../app/failures.ts'
import { useFormProblem } from '../ui/form-problem.ts'
import type { Complaint } from '../ui/form-problem.ts'

/** A form that is checked before it is sent, and marks the field that the service refuses. */
export function useCheckedForm<Field extends string, Answer>(input: {
  check: () => Complaint<Field> | null
  send: () => Promise<Answer>
  onSent: (answer: Answer) => unknown
  complaintOf: (failure: Error) => Complaint<Field> | null
  /** Shown where the service gave no reason. */
  fallback?: string
  /** Shows a refusal that belongs to no field. */
  onRefused?: (failure: Error) => void
}) {
  const { complain, ...form } = useFormProblem<Field>()
  const words = input.fallback === undefined ? {} : { fallback: input.fallback }
  const { onRefused = (failure: Error) => showFailure(failure, words) } = input
  const { mutate, isPending } = useMutation({
    mutationFn: input.send,
    onSuccess: input.onSent,
    onError: (failure) => {
      const complaint = input.complaintOf(failure)
      if (complaint) complain(complaint)
      else onRefused(failure)
    },
  })
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    const complaint = input.check()
    if (complaint) complain(complaint)
    else mutate()
  }
  return { ...form, onSubmit, isSending: isPending }
}
