import { useId } from 'react'
import type { InputHTMLAttributes, ReactNode, Ref } from 'react'
import { classes } from './classes.ts'

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & {
  label: ReactNode
  hint?: ReactNode
  error?: string
  ref?: Ref<HTMLInputElement>
}

export function Checkbox({ label, hint, error, className, ...rest }: Props) {
  const id = useId()
  return (
    <label className={classes('flex items-start gap-2.5 py-1 has-disabled:opacity-60', className)}>
      <input
        {...rest}
        type="checkbox"
        aria-invalid={error ? true : rest['aria-invalid']}
        aria-describedby={error ? id : rest['aria-describedby']}
        className="mt-0.5 size-4 shrink-0 accent-brand disabled:cursor-not-allowed pointer-coarse:size-6"
      />
      <Beside label={label} hint={hint} error={error} errorId={id} />
    </label>
  )
}

/** On or off, at once: a checkbox that says `switch` to assistive technology. */
export function Switch({ label, hint, className, ...rest }: Omit<Props, 'error'>) {
  return (
    <label className={classes('flex items-start gap-2.5 py-1 has-disabled:opacity-60', className)}>
      <input
        {...rest}
        type="checkbox"
        role="switch"
        className="relative mt-0.5 h-4.5 w-8 shrink-0 appearance-none rounded-full bg-line-strong transition-colors duration-120 before:absolute before:top-0.5 before:left-0.5 before:size-3.5 before:rounded-full before:bg-[white] before:transition-transform before:duration-120 checked:bg-brand checked:before:translate-x-3.5 dark:checked:before:bg-page"
      />
      <Beside label={label} hint={hint} />
    </label>
  )
}

function Beside({
  label,
  hint,
  error,
  errorId,
}: Pick<Props, 'label' | 'hint' | 'error'> & { errorId?: string }) {
  return (
    <span className="min-w-0">
      <span className="text-sm">{label}</span>
      {hint && <span className="block text-xs text-ink-3">{hint}</span>}
      {error && (
        <span id={errorId} className="block text-xs text-bad">
          {error}
        </span>
      )}
    </span>
  )
}
