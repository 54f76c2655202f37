/** Two shots and the cut between them. */
export function Mark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 18 18" aria-hidden="true">
      <rect x="1" y="4" width="6" height="10" rx="1" className="fill-lane-shot-a" />
      <rect x="11" y="4" width="6" height="10" rx="1" className="fill-lane-shot-b" />
      <rect x="8" y="0" width="2" height="18" rx="1" className="fill-lane-cut" />
    </svg>
  )
}
