import type { ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from 'react'
import { Link } from 'react-router'
import { classes } from './classes.ts'
import { Spinner } from './spinner.tsx'

export type ButtonLook = 'primary' | 'secondary' | 'quiet' | 'danger'
export type ButtonSize = 'sm' | 'md' | 'lg'

const looks: Record<ButtonLook, string> = {
  primary:
    'bg-brand text-on-brand hover:bg-brand-hover border-transparent font-semibold [&_kbd]:border-on-brand/40 [&_kbd]:bg-transparent [&_kbd]:text-on-brand',
  secondary: 'bg-raised text-ink hover:bg-hover border-line',
  quiet: 'bg-transparent text-ink-2 hover:text-ink hover:bg-hover border-transparent',
  danger: 'bg-bad-solid text-[white] hover:opacity-90 border-transparent font-semibold',
}

const sizes: Record<ButtonSize, string> = {
  sm: 'h-7 px-2.5 text-sm pointer-coarse:h-11',
  md: 'h-8 px-3 text-sm pointer-coarse:h-11',
  lg: 'h-11 px-5 text-base',
}

export function buttonClass(look: ButtonLook = 'secondary', size: ButtonSize = 'sm'): string {
  return classes(
    'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium',
    'whitespace-nowrap transition-colors duration-120 ease-out select-none',
    'disabled:opacity-50 aria-disabled:opacity-50',
    looks[look],
    sizes[size],
  )
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: ButtonLook
  size?: ButtonSize
  /** At work: takes no press, and keeps the focus, which a disabled button would lose. */
  busy?: boolean
  ref?: Ref<HTMLButtonElement>
}

export function Button({ look, size, busy, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      aria-busy={busy || undefined}
      {...rest}
      {...(busy && { 'aria-disabled': true, onClick: ignore })}
      className={classes(buttonClass(look, size), className)}
    >
      {busy && <Spinner />}
      {children}
    </button>
  )
}

/** Enter in a form presses its button: that is no submit either. */
function ignore(event: MouseEvent): void {
  event.preventDefault()
  event.stopPropagation()
}

/** A square button that holds only an icon; the label is what assistive technology reads. */
export function IconButton({
  label,
  className,
  look = 'quiet',
  ...rest
}: Omit<ButtonProps, 'size'> & { label: string }) {
  return (
    <Button
      {...rest}
      look={look}
      aria-label={label}
      title={label}
      className={classes('w-7 px-0! pointer-coarse:w-11', className)}
    />
  )
}

/** A small toggle of a list, such as a filter. */
export function Chip({
  isOn,
  onClick,
  children,
}: {
  isOn: boolean
  onClick: () => void
  children: ReactNode
}) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      className={classes(
        'flex h-6 shrink-0 items-center rounded-full border px-2.5 text-xs whitespace-nowrap pointer-coarse:h-11',
        isOn
          ? 'border-brand bg-brand-wash text-brand-ink'
          : 'border-line text-ink-2 hover:text-ink',
      )}
    >
      {children}
    </button>
  )
}

/** A link that looks like a button: inside the app by the router, elsewhere by the browser. */
export function ButtonLink({
  to,
  look,
  size,
  className,
  children,
}: {
  to: string
  look?: ButtonLook
  size?: ButtonSize
  className?: string
  children: ReactNode
}) {
  const shape = classes(buttonClass(look, size), className)
  return /^(https?:|mailto:)/.test(to) ? (
    <a href={to} className={shape}>
      {children}
    </a>
  ) : (
    <Link to={to} className={shape}>
      {children}
    </Link>
  )
}
