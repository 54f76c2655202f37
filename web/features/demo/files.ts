/** What the demo clip's findings look like in the files an editor takes away. */
import { cutPoints, demoTimecode, shots, voiceOnly } from './clip.ts'

export interface DemoLine {
  text: string
  /** The shot that the line belongs to, so that it lights up while that shot plays. */
  shot: number | null
}

export const demoFiles: readonly { id: string; label: string; lines: readonly DemoLine[] }[] = [
  { id: 'edl', label: 'EDL', lines: edlLines() },
  { id: 'csv', label: 'CSV', lines: csvLines() },
  { id: 'json', label: 'JSON', lines: jsonLines() },
]

function edlLines(): DemoLine[] {
  const head = ['TITLE: RIVER_INTERVIEW', 'FCM: NON-DROP FRAME', ''].map((text) => ({
    text,
    shot: null,
  }))
  const events = shots.flatMap((of, shot) => {
    const range = `${demoTimecode(of.startFrame)} ${demoTimecode(of.endFrame)}`
    const number = String(shot + 1).padStart(3, '0')
    return [
      { text: `${number}  RIVER    V     C        ${range} ${range}`, shot },
      { text: `* SHOT ${shot + 1} ${of.size.toUpperCase()}`, shot },
    ]
  })
  return [...head, ...events]
}

function csvLines(): DemoLine[] {
  const head = { text: 'shot,start,end,frames,size,transition', shot: null }
  const rows = shots.map((of, shot) => {
    const transition = shot === 0 ? 'start' : of.picture === 'fog' ? 'dissolve' : 'cut'
    const range = `${demoTimecode(of.startFrame)},${demoTimecode(of.endFrame)}`
    return {
      text: `${shot + 1},${range},${of.endFrame - of.startFrame},${of.size},${transition}`,
      shot,
    }
  })
  return [head, ...rows]
}

function jsonLines(): DemoLine[] {
  const lines: DemoLine[] = [
    { text: '{ "media": { "frame_rate": "25/1", "frames": 500 },', shot: null },
    { text: '  "cutpoints": { "points": [', shot: null },
  ]
  for (const point of cutPoints) {
    const shot = shots.findIndex((of) => point.frame >= of.startFrame && point.frame < of.endFrame)
    const fields = `"frame": ${point.frame}, "score": ${point.score.toFixed(2)}`
    lines.push({ text: `    { ${fields}, "reasons": ["${point.reason}"] },`, shot })
  }
  lines.push({ text: '  ] },', shot: null })
  for (const span of voiceOnly) {
    const fields = `"start_frame": ${span.startFrame}, "end_frame": ${span.endFrame}`
    lines.push({ text: `  "talking": { "voice_only": [{ ${fields} }] } }`, shot: 2 })
  }
  return lines
}
