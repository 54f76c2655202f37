import type { InputHTMLAttributes } from 'react'
import { classes } from './classes.ts'

/** The browser's own range input, with its keys and its touch behaviour. */
export function Slider({
  label,
  valueText,
  className,
  ...rest
}: Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & { label: string; valueText?: string }) {
  return (
    <input
      {...rest}
      type="range"
      aria-label={label}
      aria-valuetext={valueText}
      className={classes('h-6 w-full cursor-pointer accent-brand pointer-coarse:h-11', className)}
    />
  )
}
