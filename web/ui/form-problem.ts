import { useCallback, useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { showToast } from './toast.tsx'

export interface Complaint<Field extends string> {
  field: Field
  title: string
  message: string
  /** At the field, in other words than the toast. */
  note: string
}

export interface FormProblem<Field extends string> {
  /** Goes onto the form: the first field that is marked takes the keyboard. */
  formRef: RefObject<HTMLFormElement | null>
  /** The note at a field that is marked. */
  errorOf: (field: Field) => string | undefined
  /** Says what is missing: by a toast, and by a note at the field where it is. */
  complain: (problem: Complaint<Field>) => void
  /** The field is being fixed: its mark goes, the toast keeps its time. */
  unmark: (field: Field) => void
  /** Nothing is wrong any more: the toast goes too, as it does with the form. */
  settle: () => void
}

/** Marks the problem of a form, once as a toast and once where it can be fixed. */
export function useFormProblem<Field extends string>(): FormProblem<Field> {
  const formRef = useRef<HTMLFormElement>(null)
  const withdraw = useRef<() => void>(() => undefined)
  const [problem, setProblem] = useState<{ field: Field; note: string } | null>(null)
  useEffect(() => () => withdraw.current(), [])
  useEffect(() => {
    if (problem) formRef.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [problem])
  const settle = useCallback(() => {
    withdraw.current()
    setProblem(null)
  }, [])
  return {
    formRef,
    errorOf: (field) => (problem?.field === field ? problem.note : undefined),
    complain: ({ field, title, message, note }) => {
      withdraw.current()
      withdraw.current = showToast({ type: 'error', title, message })
      setProblem({ field, note })
    },
    unmark: (field) => setProblem((before) => (before?.field === field ? null : before)),
    settle,
  }
}
