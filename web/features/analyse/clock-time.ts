/** Seconds of a time as people write it: 90, 1:30, 1:02:03 or 12.5; null where it is none. */
export function parseClockTime(text: string): number | null {
  const parts = /^(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,6}(?:[.,]\d{1,3})?)$/.exec(text.trim())
  if (!parts) return null
  const [, hours = '0', minutes = '0', last = ''] = parts
  const seconds = Number(last.replace(',', '.'))
  const isCarried = (parts[2] && seconds >= 60) || (parts[1] && Number(minutes) >= 60)
  return isCarried ? null : Number(hours) * 3600 + Number(minutes) * 60 + seconds
}
