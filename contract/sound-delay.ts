/** What an editor is told about sound that does not lie on its picture, on screen and in markers. */

export function soundDelayText(seconds: number): string {
  return `Sound is about ${Math.abs(seconds).toFixed(1)} s ${seconds > 0 ? 'late' : 'early'}`
}
