/**
 * Makes clips of clapperboards whose every field is known: drawn by Chromium in several layouts and
 * fonts, tilted, blurred, partly covered by a hand, filmed by an unsteady camera with noise, and
 * closed with a crack in a noisy room. The same seed makes the same clip; one that the folder has
 * already is taken as it is.
 */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { waveFile } from '../../server/syncs/wave-file.ts'
import { fontSets, randomFrom } from './made-fonts.ts'
import type { FontSet } from './made-fonts.ts'
import { height, layouts, slatePage, width } from './slate-page.ts'
import type { FieldName, Fields } from './slate-page.ts'

const execute = promisify(execFile)

export interface MadeSlate {
  seed: number
  file: string
  font: string
  layout: string
  tilt: number
  /** Only those that are printed and not covered. */
  fields: Partial<Record<FieldName, string>>
  covered: FieldName[]
  /** Printed fields whose label is covered: only their form or place says what they are. */
  unlabelled: FieldName[]
  /** The first frame in which the sticks are closed. */
  clapFrame: number
}

export const framesPerSecond = 25
const frames = 80

export async function makeSlate(
  browser: Browser,
  { seed, set, folder }: { seed: number; set: FontSet; folder: string },
): Promise<MadeSlate> {
  const name = path.join(folder, `${set === 'test' ? '' : `${set}-`}slate-${seed}`)
  const kept = await readFile(`${name}.json`, 'utf8').catch(() => null)
  if (kept) return JSON.parse(kept) as MadeSlate
  const random = randomFrom(seed)
  const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(random() * list.length)]!
  const font = pick(fontSets[set])
  const layout = pick(Object.keys(layouts))
  const tilt = Math.round((random() * 16 - 8) * 10) / 10
  const fields = inventFields(random, pick)
  const blur = random() < 0.5 ? random() * 1.5 : 0
  const page = await browser.newPage({ viewport: { width, height } })
  try {
    const look = { font, layout, tilt, blur, fields, random, pick }
    await page.setContent(await slatePage(look))
    await page.evaluate(() => document.fonts.ready.then(() => undefined))
    const hidden = await hiddenFields(page)
    const clapFrame = 28 + Math.floor(random() * 22)
    await shoot(page, name)
    await writeFile(`${name}.wav`, await soundOf({ random, clapFrame, fields }))
    await encode(name, { clapFrame, noise: Math.round(random() * 14), shake: random() * 5 })
    const printed = Object.entries(fields).filter(
      ([field]) => !hidden.values.includes(field as FieldName),
    )
    const slate: MadeSlate = {
      ...{ seed, font, layout, tilt, clapFrame, file: `${name}.mp4` },
      covered: hidden.values,
      unlabelled: hidden.labels,
      fields: Object.fromEntries(printed),
    }
    await writeFile(`${name}.json`, JSON.stringify(slate))
    return slate
  } finally {
    await page.close()
  }
}

function inventFields(random: () => number, pick: <V>(list: readonly V[]) => V): Fields {
  const number = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1))
  const two = (value: number): string => String(value).padStart(2, '0')
  const camera = pick(['A', 'B', 'C', 'D'])
  const [day, month, year] = [number(1, 28), number(1, 12), number(2019, 2027)]
  const monthNames = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
  const date = pick([
    `${year}-${two(month)}-${two(day)}`,
    `${two(day)}/${two(month)}/${year}`,
    `${two(day)}.${two(month)}.${String(year).slice(2)}`,
    `${day} ${monthNames[month - 1]} ${year}`,
  ])
  const scene = `${number(1, 148)}${pick(['', '', 'A', 'B', 'C', 'F', 'AA'])}`
  const timecode = [number(0, 23), number(0, 59), number(0, 59), number(0, 24)].map(two).join(':')
  return {
    scene,
    take: String(number(1, 24)),
    ...(random() < 0.9
      ? {
          roll: pick([
            `${camera}${String(number(1, 120)).padStart(3, '0')}`,
            String(number(1, 99)),
          ]),
        }
      : {}),
    ...(random() < 0.8 ? { camera } : {}),
    ...(random() < 0.85 ? { date } : {}),
    ...(random() < 0.5 ? { timecode } : {}),
  }
}

/** Fields with a tenth of their value under the hand, and those without half their label. */
async function hiddenFields(page: Page): Promise<{ values: FieldName[]; labels: FieldName[] }> {
  return await page.evaluate(() => {
    const hands = [...document.querySelectorAll('.hand')]
    const hiddenPart = (element: Element): number => {
      const { left, top, right, bottom } = element.getBoundingClientRect()
      let hidden = 0
      const points = 20
      for (let x = 0; x < points; x++) {
        for (let y = 0; y < points; y++) {
          const at: [number, number] = [
            left + ((x + 0.5) * (right - left)) / points,
            top + ((y + 0.5) * (bottom - top)) / points,
          ]
          if (document.elementsFromPoint(...at).some((element) => hands.includes(element))) hidden++
        }
      }
      return hidden / points ** 2
    }
    const named = (kind: string, part: number): string[] =>
      [...document.querySelectorAll<HTMLElement>(`[data-${kind}]`)]
        .filter((element) => hiddenPart(element) >= part)
        .map((element) => element.dataset[kind]!)
    return { values: named('field', 0.1), labels: named('label', 0.5) } as never
  })
}

const stickAngles = { open: -20, half: -13, nearly: -6, closed: 0 }

/** The board with the sticks at each angle, and the room without it. */
async function shoot(page: Page, name: string): Promise<void> {
  for (const [step, angle] of Object.entries(stickAngles)) {
    await page.evaluate((degrees) => {
      document.querySelector<HTMLElement>('.upper')!.style.transform = `rotate(${degrees}deg)`
    }, angle)
    await page.screenshot({ path: `${name}-${step}.jpg`, type: 'jpeg', quality: 95 })
  }
  await page.evaluate(() => document.querySelector('.slate')!.remove())
  await page.screenshot({ path: `${name}-away.jpg`, type: 'jpeg', quality: 95 })
}

async function encode(
  name: string,
  { clapFrame, noise, shake }: { clapFrame: number; noise: number; shake: number },
): Promise<void> {
  const away = Math.min(frames - 15, clapFrame + 18)
  const shown: [string, number][] = [
    ['open', clapFrame - 2],
    ['half', 1],
    ['nearly', 1],
    ['closed', away - clapFrame],
    ['away', frames - away],
  ]
  const list = shown.flatMap(([step, count]) =>
    Array.from({ length: count }, () => `file '${pathToFileURL(`${name}-${step}.jpg`).pathname}'`),
  )
  await writeFile(`${name}.txt`, `ffconcat version 1.0\n${list.join('\n')}\n`)
  const unsteady = `crop=iw-24:ih-14:12+${shake.toFixed(2)}*sin(n/9):7+${shake.toFixed(2)}*sin(n/7)`
  const grain = noise > 0 ? `,noise=alls=${noise}:allf=t` : ''
  await execute('ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-f', 'concat', '-safe', '0', '-r', '25'],
    ...['-i', `${name}.txt`, '-i', `${name}.wav`],
    ...['-vf', `${unsteady},scale=${width}:${height}${grain},format=yuv420p`],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '24', '-c:a', 'aac', '-b:a', '96k'],
    ...['-frames:v', String(frames), '-r', '25', `${name}.mp4`],
  ])
}

const rate = 16_000

/** A room, a voice that announces the slate, a thud before, and the crack. */
async function soundOf({
  random,
  clapFrame,
  fields,
}: {
  random: () => number
  clapFrame: number
  fields: Fields
}): Promise<Buffer> {
  const samples = new Float32Array((rate * frames) / framesPerSecond)
  const room = 0.002 + random() * 0.01
  let low = 0
  for (let at = 0; at < samples.length; at++) {
    low = 0.96 * low + 0.04 * (random() * 2 - 1)
    samples[at] = room * (low * 4 + (random() * 2 - 1) * 0.3)
  }
  const words = `scene ${fields.scene}, take ${fields.take}`
  const spoken = await execute('espeak-ng', ['-s', '190', '--stdout', words], {
    encoding: 'buffer',
    maxBuffer: 1 << 24,
  })
  const voice = new Int16Array(spoken.stdout.buffer.slice(spoken.stdout.byteOffset + 44))
  const level = 0.1 + random() * 0.25
  for (let at = 0; at * 1.378 < voice.length && at < samples.length; at++) {
    samples[at]! += (voice[Math.floor(at * 1.378)]! / 32768) * level
  }
  const thud = Math.floor((clapFrame / framesPerSecond - 0.45 - random() * 0.3) * rate)
  for (let at = 0; at < 1600; at++) {
    samples[thud + at]! += 0.2 * Math.exp(-at / 400) * Math.sin(at / 30) * Math.min(1, at / 60)
  }
  // Somewhere in the first half of the frame in which the sticks meet.
  const clap = Math.floor((clapFrame / framesPerSecond + random() * 0.02) * rate)
  const loud = 0.35 + random() * 0.5
  for (let at = 0; at < 2400 && clap + at < samples.length; at++) {
    const tail = Math.exp(-at / 120) + 0.12 * Math.exp(-at / 900)
    samples[clap + at]! += loud * tail * (random() * 2 - 1)
  }
  const whole = Int16Array.from(samples, (value) =>
    Math.round(Math.max(-1, Math.min(1, value)) * 32_767),
  )
  return waveFile(new Uint8Array(whole.buffer), rate)
}
