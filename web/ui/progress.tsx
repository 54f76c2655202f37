/** How far something is, from 0 to 1. */
export function Progress({ label, value }: { label: string; value: number }) {
  return (
    <progress
      aria-label={label}
      value={value}
      max={1}
      className="block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-hover [&::-moz-progress-bar]:bg-brand [&::-webkit-progress-bar]:bg-hover [&::-webkit-progress-value]:bg-brand"
    />
  )
}
