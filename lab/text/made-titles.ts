/**
 * Makes a film with a shot every 5 s and a lower third of one or two lines in each: other fonts,
 * with and without a box, over moving footage. Every letter and frame of them is known.
 */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { fontRules, fontSets, handwriting, randomFrom } from './made-fonts.ts'
import type { FontSet } from './made-fonts.ts'

const execute = promisify(execFile)
const sample = path.join(import.meta.dirname, '../../assets/sample.mp4')

export interface Title {
  text: string
  font: string
  startFrame: number
  endFrame: number
}

const framesPerShot = 125
/** A title comes one second into its shot and stays for three. */
const [comesAt, goesAt] = [25, 100]
const shots = 24
/** First frames of scenes of the sample clip. */
const scenes = [5, 105, 180, 280, 400, 480]

const names = [
  ...['Anna Whitfield', 'Dr. Samuel Ortega', 'Mei-Lin Zhou', "Patrick O'Brien", 'Lucia Fontana'],
  ...['Kwame Mensah', 'Prof. Ingrid Solberg', 'J. R. Halloran', 'Nadia Petrova', 'Tomás Rivera'],
]
const roles = [
  ...['Head of Research', 'Director, River Project', 'Senior Engineer', 'Eyewitness'],
  ...['Mayor of Port Ellen, 2011-2019', 'Author of "Cold Water"', 'Marine biologist'],
  ...['Chief Editor', 'Former minister', 'Founder & CEO'],
  ...['Berlin, 14 March 1989', 'Unit 7 - Harbour'],
]

/** Handwriting is for slates. */
function printFonts(set: FontSet): string[] {
  return fontSets[set].filter((font) => font !== handwriting)
}

export async function makeTitledFilm(
  browser: Browser,
  { folder, seed, set }: { folder: string; seed: number; set: FontSet },
): Promise<{ file: string; seconds: number; titles: Title[] }> {
  const random = randomFrom(seed + 7)
  const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(random() * list.length)]!
  const titles: Title[] = []
  const pieces: string[] = []
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } })
  for (let shot = 0; shot < shots; shot++) {
    const font = pick(printFonts(set))
    const lines = [pick(names), ...(random() < 0.8 ? [pick(roles)] : [])]
    const at = shot * framesPerShot
    for (const text of lines) {
      titles.push({ text, font, startFrame: at + comesAt, endFrame: at + goesAt })
    }
    const boxed = random() < 0.6
    const ground = pick(['rgb(12 16 24/.8)', 'rgb(240 240 236/.92)', 'rgb(20 60 110/.9)'])
    const ink = ground.startsWith('rgb(240') ? '#141414' : '#fff'
    const look = boxed
      ? `background:${ground};color:${ink};padding:10px 22px`
      : 'color:#fff;text-shadow:0 0 5px #000,0 0 2px #000'
    const sizes = [34 + Math.floor(random() * 10), 22 + Math.floor(random() * 6)]
    const rows = lines.map((text, row) => {
      const weight = row === 0 ? 600 : 400
      return `<div style="font-size:${sizes[row]}px;font-weight:${weight}">${escaped(text)}</div>`
    })
    await page.setContent(`<style>${await fontRules()}body{margin:0;background:transparent}
      div.title{position:absolute;left:${60 + random() * 300}px;bottom:${50 + random() * 50}px;
      font-family:'${font}';line-height:1.35;${look}}</style><div class="title">${rows.join('')}</div>`)
    await page.evaluate(() => document.fonts.ready.then(() => undefined))
    const name = path.join(folder, `title-${shot}`)
    await page.screenshot({ path: `${name}.png`, omitBackground: true })
    await encodeShot(name, scenes[shot % scenes.length]!, shot)
    pieces.push(`${name}.mp4`)
  }
  await page.close()
  const file = path.join(folder, 'titles.mp4')
  await execute('ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', ...pieces.flatMap((piece) => ['-i', piece])],
    ...['-filter_complex', `concat=n=${pieces.length}`, '-c:v', 'libx264', '-preset', 'veryfast'],
    ...['-crf', '22', '-an', file],
  ])
  return { file, seconds: (shots * framesPerShot) / 25, titles }
}

/** A scene of the sample that drifts and grows a little, with grain, and the title over it. */
async function encodeShot(name: string, from: number, shot: number): Promise<void> {
  const drift = shot % 2 === 0 ? 'n/3' : '60-n/3'
  const graph = [
    `[0:v]trim=start_frame=${from}:end_frame=${from + 60},setpts=N/25/TB,loop=2:60,setpts=N/25/TB`,
    `scale=1440:-2,crop=1280:720:'${drift}':20,noise=alls=5:allf=t[room]`,
  ].join(',')
  const over = `[room][1:v]overlay=enable='between(n,${comesAt},${goesAt - 1})',format=yuv420p[v]`
  await execute('ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-i', sample],
    ...['-loop', '1', '-r', '25', '-i', `${name}.png`],
    ...['-filter_complex', `${graph};${over}`, '-map', '[v]', '-frames:v', String(framesPerShot)],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '18', '-r', '25', `${name}.mp4`],
  ])
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
