/** The page of a clapperboard in one of several layouts, as Chromium draws it. */
import { fontRules } from './made-fonts.ts'

export const fieldNames = ['scene', 'take', 'roll', 'camera', 'date', 'timecode'] as const
export type FieldName = (typeof fieldNames)[number]

export type Fields = Partial<Record<FieldName, string>>

/** Points of the page and the film. */
export const width = 1280
export const height = 720

export interface LookOfSlate {
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

export async function slatePage(look: LookOfSlate): Promise<string> {
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

type Label = [label: string, field: FieldName, kind?: string]

const printed = (fields: Fields, ...names: Label[]): Label[] =>
  names.filter(([, field]) => fields[field] !== undefined)

const row = (fields: Fields, ...names: Label[]): string => {
  const cells = printed(fields, ...names).map(([label, field, kind]) =>
    cell(label, value(field, fields, kind), field),
  )
  return `<div class="row">${cells.join('')}</div>`
}

const small = (text: string): string => `<span class="small">${text}</span>`

export const layouts: Record<string, (look: LookOfSlate) => string> = {
  /** The classic board: small labels above large values. */
  classic: ({ fields, pick }) =>
    [
      `<div class="row">${cell('PROD.', small(pick(productions)))}</div>`,
      row(fields, ['ROLL', 'roll'], ['SCENE', 'scene'], ['TAKE', 'take']),
      `<div class="row">${cell('DIRECTOR', small(pick(people)))}${
        fields.camera ? cell('CAMERA', value('camera', fields, 'small'), 'camera') : ''
      }</div>`,
      row(fields, ['DATE', 'date', 'small'], ['TIMECODE', 'timecode', 'small']),
    ].join(''),
  /** Labels and values in one line. */
  lines({ fields, pick }) {
    const mark = pick([':', ''])
    const ends: Label[] = [
      ['CAM', 'camera'],
      ['DATE', 'date'],
      ['TC', 'timecode'],
    ]
    return printed(fields, ['SCENE', 'scene'], ['TAKE', 'take'], ['ROLL', 'roll'], ...ends)
      .map(([label, field]) => {
        const name = `<span data-label="${field}">${label}${mark}</span>`
        return `<div class="line">${name} ${value(field, fields, '')}</div>`
      })
      .join('')
  },
  /** Labels on the left, values on the right. */
  table({ fields, pick }) {
    const ends: Label[] = [
      ['Camera', 'camera'],
      ['Date', 'date'],
      ['Timecode', 'timecode'],
    ]
    const names = printed(fields, ['Scene', 'scene'], ['Take', 'take'], ['Reel', 'roll'], ...ends)
    const rows = names.map(([label, field]) => {
      const name = `<span data-label="${field}">${label}</span>`
      const left = `<div class="cell label" style="flex:0 0 34%;font-size:24px">${name}</div>`
      return `<div class="row">${left}<div class="cell">${value(field, fields, 'small')}</div></div>`
    })
    const title = `<div class="small" style="text-align:center">${pick(productions)}</div>`
    return title + rows.join('')
  },
  /** A digital board: the timecode across the top, two rows of cells below. */
  digital({ fields, pick }) {
    const look = 'text-align:center;background:#200;color:#f55;font-size:56px;line-height:1.25'
    const timecode = `<div style="${look}">${value('timecode', fields, '')}</div>`
    const date = fields.date ? cell('DATE', value('date', fields, 'small'), 'date') : ''
    return [
      fields.timecode ? timecode : '',
      row(fields, ['SCENE', 'scene'], ['TAKE', 'take']),
      row(fields, ['ROLL', 'roll'], ['CAM', 'camera']),
      `<div class="row">${date}${cell('DOP', small(pick(people)))}</div>`,
    ].join('')
  },
}
