/** "14 s", "2 min 5 s": how long a passage or a cut is, where no frame matters. */
export function lengthText(seconds: number): string {
  const whole = Math.round(seconds)
  if (seconds > 0 && seconds < 9.5) return `${seconds.toFixed(1).replace(/\.0$/, '')} s`
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return whole % 60 ? `${minutes} min ${whole % 60} s` : `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
