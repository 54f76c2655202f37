import { classes } from '../../../ui/classes.ts'

/** Initials on a colour of the person's own. */
export function Face({ name, className }: { name: string; className?: string }) {
  return (
    <span
      aria-hidden
      // Drawn, not written: the name beside it, or the label around it, says who it is.
      data-initials={initials(name)}
      style={{ background: `oklch(38% 0.08 ${hueOf(name)})` }}
      className={classes(
        'grid before:content-[attr(data-initials)] size-6 shrink-0 place-items-center rounded-full text-[12px] leading-none font-medium tracking-tighter text-[oklch(97%_0_0)]',
        className,
      )}
    />
  )
}

export function hueOf(name: string): number {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360
  // Names that are alike get colours that are not.
  return (sum * 137) % 360
}

function firstLetter(word: string | undefined): string {
  return String.fromCodePoint(word?.codePointAt(0) ?? 32).trim()
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/)
  const [first, last] = [words[0], words.length > 1 ? words.at(-1) : '']
  return `${firstLetter(first)}${firstLetter(last)}`.toUpperCase()
}
