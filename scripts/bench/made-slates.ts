/**
 * Makes clips of clapperboards whose every field is known: drawn by Chromium in several layouts and
 * fonts, tilted, blurred, partly covered by a hand, filmed by an unsteady camera with noise, and
 * closed with a crack in a noisy room. The same seed makes the same clip.
 */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'

const execute = promisify(execFile)
const modules = path.join(import.meta.dirname, '../../node_modules')

export const fieldNames = ['scene', 'take', 'roll', 'camera', 'date', 'timecode'] as const
export type FieldName = (typeof fieldNames)[number]

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
const width = 1280
const height = 720

/** `tune` is for choosing constants; figures are reported on `test`, which shares no font with it. */
export const fontSets = {
  tune: ['DejaVu Sans', 'DejaVu Serif', 'DejaVu Sans Mono', 'Geist'],
  test: [
    ...['Permanent Marker', 'Bebas Neue', 'Courier Prime', 'Oswald'],
    ...['Geist Mono', 'DejaVu Sans Condensed'],
  ],
} as const

/** Fonts that have capitals only, whatever is typed. */
export const capitalFonts: readonly string[] = ['Permanent Marker', 'Bebas Neue']

const fontFiles: Record<string, string> = {
  Geist: '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
  'Geist Mono': '@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2',
  'Permanent Marker': '@fontsource/permanent-marker/files/permanent-marker-latin-400-normal.woff2',
  'Bebas Neue': '@fontsource/bebas-neue/files/bebas-neue-latin-400-normal.woff2',
  'Courier Prime': '@fontsource/courier-prime/files/courier-prime-latin-400-normal.woff2',
  Oswald: '@fontsource/oswald/files/oswald-latin-400-normal.woff2',
}

export type FontSet = keyof typeof fontSets

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed * 2_654_435_761
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }
}

export async function fontRules(): Promise<string> {
  const rules: string[] = []
  for (const [name, file] of Object.entries(fontFiles)) {
    const bytes = await readFile(path.join(modules, file))
    const address = `data:font/woff2;base64,${bytes.toString('base64')}`
    rules.push(`@font-face{font-family:'${name}';src:url(${address});font-weight:100 900}`)
  }
  return rules.join('')
}

export async function makeSlate(
  browser: Browser,
  of: { seed: number; set: FontSet; folder: string },
): Promise<MadeSlate> {
  const { seed, folder } = of
  const random = randomFrom(seed)
  const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(random() * list.length)]!
  const font = pick(fontSets[of.set])
  const layout = pick(Object.keys(layouts))
  const tilt = Math.round((random() * 16 - 8) * 10) / 10
  const fields = inventFields(random, pick)
  const blur = random() < 0.5 ? random() * 1.5 : 0
  const page = await browser.newPage({ viewport: { width, height } })
  const name = path.join(folder, `slate-${seed}`)
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
    return {
      ...{ seed, font, layout, tilt, clapFrame, file: `${name}.mp4` },
      covered: hidden.values,
      unlabelled: hidden.labels,
      fields: Object.fromEntries(printed),
    }
  } finally {
    await page.close()
  }
}

type Fields = Partial<Record<FieldName, string>>

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

interface LookOfSlate {
  font: string
  layout: string
  tilt: number
  blur: number
  fields: Fields
  random: () => number
  pick: <Value>(list: readonly Value[]) => Value
}

const productions = ['NORTHERN LIGHTS', 'The Long Way Home', 'RIVER', 'Second Hand', 'HARBOUR 9']
const people = ['M. Okafor', 'Ana Lindqvist', 'J. Marsh', 'R. Tanaka', 'Lea Brandt']

async function slatePage(look: LookOfSlate): Promise<string> {
  const { font, layout, tilt, blur, random, pick } = look
  const [ground, ink] = pick([
    ['#f4f2ec', '#15130f'],
    ['#111214', '#f2f2ee'],
    ['#e9edf0', '#1b2a57'],
    ['#1f2a22', '#f3efe0'],
  ])
  const wide = 560 + Math.floor(random() * 240)
  const left = 120 + random() * (width - wide - 240)
  const top = 210 + random() * 60
  const body = layouts[layout]!(look)
  const stripes = `repeating-linear-gradient(115deg,#fff 0 42px,#111 42px 84px)`
  const hand = random() < 0.45 ? handOf(random, wide) : ''
  const shapes = Array.from({ length: 9 }, () => {
    const colour = `hsl(${Math.floor(random() * 360)} 25% ${15 + Math.floor(random() * 50)}%)`
    const place = `left:${random() * 1200}px;top:${random() * 640}px`
    const size = `width:${60 + random() * 300}px;height:${60 + random() * 300}px`
    return `<i style="position:absolute;${place};${size};background:${colour};border-radius:${random() * 50}%;filter:blur(14px)"></i>`
  }).join('')
  return `<style>${await fontRules()}
    body{margin:0;background:hsl(${Math.floor(random() * 360)} 15% 32%);overflow:hidden}
    .slate{position:absolute;left:${left}px;top:${top}px;width:${wide}px;transform:rotate(${tilt}deg);
      filter:blur(${blur.toFixed(2)}px);font-family:'${font}';color:${ink}}
    .board{background:${ground};border:4px solid ${ink};border-radius:6px;padding:10px;position:relative}
    .stick{height:44px;background:${stripes};border-radius:4px;margin-bottom:4px}
    .upper{transform-origin:0 100%}
    .row{display:flex;gap:0}.cell{flex:1;border:2px solid ${ink};padding:2px 8px 4px;min-width:0}
    .label{font-size:17px;letter-spacing:.04em;line-height:1.2}
    .value{font-size:46px;line-height:1.12;font-weight:600;white-space:nowrap}
    .small{font-size:26px;line-height:1.2;white-space:nowrap}
    .line{font-size:34px;line-height:1.35;font-weight:500;white-space:nowrap}
    .hand{position:absolute;background:#b98a6b;border-radius:40% 45% 45% 40%;filter:blur(1px)}
  </style>${shapes}<div class="slate"><div class="stick upper"></div><div class="stick"></div>
  <div class="board">${body}${hand}</div></div>`
}

/** Fingers that come over an edge of the board. */
function handOf(random: () => number, wide: number): string {
  const across = 60 + random() * 70
  const down = 34 + random() * 40
  const isLeft = random() < 0.5
  const x = isLeft ? -20 : wide - across + 20
  return [0, 1, 2]
    .map((finger) => {
      const y = 40 + random() * 30 + finger * down * 0.8
      return `<i class="hand" style="left:${x}px;top:${y}px;width:${across}px;height:${down}px"></i>`
    })
    .join('')
}

const value = (field: FieldName, fields: Fields, kind = 'value'): string =>
  `<span class="${kind}" data-field="${field}">${fields[field]}</span>`

/** A label carries the name of its field, so that it is known whether a hand covers it. */
const cell = (label: string, content: string, field = ''): string =>
  `<div class="cell"><div class="label"><span data-label="${field}">${label}</span></div>${content}</div>`

const layouts: Record<string, (look: LookOfSlate) => string> = {
  /** The classic board: small labels above large values. */
  classic({ fields, pick }) {
    const row = (names: [string, FieldName, string?][]): string => {
      const shown = names.filter(([, field]) => fields[field] !== undefined)
      const cells = shown.map(([label, field, kind]) =>
        cell(label, value(field, fields, kind), field),
      )
      return `<div class="row">${cells.join('')}</div>`
    }
    return [
      `<div class="row">${cell('PROD.', `<span class="small">${pick(productions)}</span>`)}</div>`,
      row([
        ['ROLL', 'roll'],
        ['SCENE', 'scene'],
        ['TAKE', 'take'],
      ]),
      `<div class="row">${cell('DIRECTOR', `<span class="small">${pick(people)}</span>`)}${
        fields.camera ? cell('CAMERA', value('camera', fields, 'small'), 'camera') : ''
      }</div>`,
      row([
        ['DATE', 'date', 'small'],
        ['TIMECODE', 'timecode', 'small'],
      ]),
    ].join('')
  },
  /** Labels and values in one line. */
  lines({ fields, pick }) {
    const names: [string, FieldName][] = [
      ['SCENE', 'scene'],
      ['TAKE', 'take'],
      ['ROLL', 'roll'],
      ['CAM', 'camera'],
      ['DATE', 'date'],
      ['TC', 'timecode'],
    ]
    const mark = pick([':', ''])
    return names
      .filter(([, field]) => fields[field] !== undefined)
      .map(
        ([label, field]) =>
          `<div class="line"><span data-label="${field}">${label}${mark}</span> ${value(field, fields, '')}</div>`,
      )
      .join('')
  },
  /** Labels on the left, values on the right. */
  table({ fields, pick }) {
    const names: [string, FieldName][] = [
      ['Scene', 'scene'],
      ['Take', 'take'],
      ['Reel', 'roll'],
      ['Camera', 'camera'],
      ['Date', 'date'],
      ['Timecode', 'timecode'],
    ]
    const rows = names
      .filter(([, field]) => fields[field] !== undefined)
      .map(
        ([label, field]) =>
          `<div class="row"><div class="cell label" style="flex:0 0 34%;font-size:24px"><span data-label="${field}">${label}</span></div><div class="cell">${value(field, fields, 'small')}</div></div>`,
      )
    const title = `<div class="small" style="text-align:center">${pick(productions)}</div>`
    return title + rows.join('')
  },
  /** A digital board: the timecode across the top, two rows of cells below. */
  digital({ fields, pick }) {
    const tc = fields.timecode
      ? `<div style="text-align:center;background:#200;color:#f55;font-size:56px;line-height:1.25">${value('timecode', fields, '')}</div>`
      : ''
    const shown = (names: [string, FieldName][]): string =>
      `<div class="row">${names
        .filter(([, field]) => fields[field] !== undefined)
        .map(([label, field]) => cell(label, value(field, fields), field))
        .join('')}</div>`
    const date = fields.date ? cell('DATE', value('date', fields, 'small'), 'date') : ''
    return [
      tc,
      shown([
        ['SCENE', 'scene'],
        ['TAKE', 'take'],
      ]),
      shown([
        ['ROLL', 'roll'],
        ['CAM', 'camera'],
      ]),
      `<div class="row">${date}${cell('DOP', `<span class="small">${pick(people)}</span>`)}</div>`,
    ].join('')
  },
}

/** Fields of whose value the hand hides a tenth or more, and those that have lost half their label. */
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
          if (document.elementsFromPoint(...at).some((one) => hands.includes(one))) hidden++
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
  of: { clapFrame: number; noise: number; shake: number },
): Promise<void> {
  const { clapFrame, noise, shake } = of
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
async function soundOf(of: {
  random: () => number
  clapFrame: number
  fields: Fields
}): Promise<Buffer> {
  const { random, clapFrame, fields } = of
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
  return wavOf(samples)
}

function wavOf(samples: Float32Array): Buffer {
  const bytes = Buffer.alloc(44 + samples.length * 2)
  bytes.write('RIFF', 0)
  bytes.writeUInt32LE(36 + samples.length * 2, 4)
  bytes.write('WAVEfmt ', 8)
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(rate, 24)
  bytes.writeUInt32LE(rate * 2, 28)
  bytes.writeUInt16LE(2, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write('data', 36)
  bytes.writeUInt32LE(samples.length * 2, 40)
  samples.forEach((value, at) => {
    bytes.writeInt16LE(Math.round(Math.max(-1, Math.min(1, value)) * 32767), 44 + at * 2)
  })
  return bytes
}
