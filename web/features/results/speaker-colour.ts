/** One colour for each speaker, the same on the timeline and in the transcript, in both themes. */
export function speakerColour(id: string): string {
  const letters = Array.from(id, (letter) => letter.codePointAt(0)!)
  const number = Number(/-(\d+)$/.exec(id)?.[1] ?? letters.reduce((sum, code) => sum + code, 0))
  // By the golden angle, numbers that follow each other lie far apart; faces lie between voices.
  const hue = Math.round(number * 137.5 + (id.startsWith('face-') ? 70 : 0)) % 360
  return `oklch(60% 0.14 ${hue})`
}
