import { Search } from 'lucide-react'
import { useId } from 'react'
import type {
  InputHTMLAttributes,
  ReactNode,
  Ref,
  SelectHTMLAttributes,
  TextareaHTMLAttributes,
} from 'react'
import { classes } from './classes.ts'

export const controlClass =
  'h-8 w-full rounded-md border border-line-strong bg-page px-2.5 text-sm text-ink placeholder:text-ink-3 disabled:opacity-60 aria-invalid:border-bad pointer-coarse:h-11 pointer-coarse:text-md'

interface Around {
  label: string
  hint?: ReactNode
  error?: string
}

/** A labelled text input with its hint and its error, tied together for assistive technology. */
export function TextField({
  label,
  hint,
  error,
  className,
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & Around & { ref?: Ref<HTMLInputElement> }) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error} className={className}>
      <input
        {...rest}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={hint || error ? `${id}-note` : undefined}
        className={controlClass}
      />
    </FieldFrame>
  )
}

export function TextArea({
  label,
  hint,
  error,
  className,
  ...rest
}: TextareaHTMLAttributes<HTMLTextAreaElement> & Around) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <textarea
        rows={3}
        {...rest}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={hint || error ? `${id}-note` : undefined}
        className={classes(controlClass, className ?? 'h-auto!', 'py-1.5')}
      />
    </FieldFrame>
  )
}

/** The browser's own select: best on every touch device. */
export function Select({
  label,
  hint,
  error,
  options,
  className,
  ...rest
}: SelectHTMLAttributes<HTMLSelectElement> &
  Around & {
    options: readonly { value: string; label: string }[]
    ref?: Ref<HTMLSelectElement>
  }) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error} className={className}>
      <select
        {...rest}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={hint || error ? `${id}-note` : undefined}
        className={controlClass}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  )
}

/** A search input with a magnifier; its label is read aloud only. */
export function SearchField({
  label,
  onValue,
  className,
  fieldClassName,
  children,
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & {
  label: string
  onValue: (value: string) => void
  fieldClassName?: string
  /** Stands over the right edge of the field. */
  children?: ReactNode
  ref?: Ref<HTMLInputElement>
}) {
  return (
    <label className={classes('relative', className)}>
      <Search
        size={14}
        aria-hidden
        className="absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-3"
      />
      <input
        maxLength={200}
        {...rest}
        type="search"
        aria-label={label}
        onChange={(event) => onValue(event.target.value)}
        className={classes(controlClass, 'pl-8!', fieldClassName)}
      />
      {children}
    </label>
  )
}

function FieldFrame({
  id,
  label,
  hint,
  error,
  className,
  children,
}: Around & { id: string; className?: string; children: ReactNode }) {
  return (
    <div className={classes('flex flex-col gap-1', className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children}
      {(error || hint) && (
        <p id={`${id}-note`} className={classes('text-xs', error ? 'text-bad' : 'text-ink-3')}>
          {error ?? hint}
        </p>
      )}
    </div>
  )
}
