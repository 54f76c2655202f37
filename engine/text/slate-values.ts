/** Checks and tidies the values of a slate's fields. */
import type { SlateField } from '../../domain/findings/slates.ts'

/** The value in the form of its field; null where it cannot be one. */
export function tidy(field: SlateField, raw: string): string | null {
  const text = raw
    .trim()
    .replaceAll(/[|[\]{}]/g, '')
    .trim()
  switch (field) {
    case 'take': {
      const digits = /^#?([\dOoQIl|SZ]{1,3})(?:\s?(PU|ST))?$/i.exec(text.replaceAll(' ', ''))
      const number = digits ? asDigits(digits[1]!) : ''
      return /^\d{1,3}$/.test(number) ? String(Number(number)) + (digits?.[2] ?? '') : null
    }
    case 'scene': {
      const scene = text.replaceAll(' ', '').toUpperCase()
      const match = /^([A-Z]{0,2})([\dOQI)]{1,4})([A-Z]{0,3})([-/.]\d{1,3}[A-Z]?)?$/.exec(scene)
      if (!match || !/\d/.test(match[2]!)) return null
      return `${match[1]}${asDigits(match[2]!)}${match[3]}${match[4] ?? ''}`
    }
    case 'roll': {
      const roll = text.replaceAll(' ', '').toUpperCase()
      return /^[A-Z]{0,2}[-_]?[\dOI]{1,4}([A-Z]\d{1,4})?$/.test(roll) && /\d/.test(roll)
        ? roll.replace(/[\dOI]+$/, (digits) => (/\d/.test(digits) ? asDigits(digits) : digits))
        : null
    }
    case 'camera': {
      const camera = text.replaceAll(' ', '').toUpperCase()
      if (camera === '8') return 'B'
      return /^[A-Z]$|^[A-Z]?\d$|^[A-Z]CAM$/.test(camera) ? camera.replace(/CAM$/, '') : null
    }
    case 'date':
      return dateOf(text)
    case 'timecode': {
      const digits = asDigits(text.replaceAll(' ', ''))
      const match = /^(\d{2})[:;.]?(\d{2})[:;.]?(\d{2})([:;.])?(\d{2})$/.exec(digits)
      if (!match || !/[:;.]/.test(digits)) return null
      const [, hours, minutes, seconds, mark, frames] = match
      const isTime = Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60
      return isTime ? `${hours}:${minutes}:${seconds}${mark === ';' ? ';' : ':'}${frames}` : null
    }
  }
}

function asDigits(text: string): string {
  return text
    .replaceAll(/[OoQD]/g, '0')
    .replaceAll(/[Il|)]/g, '1')
    .replaceAll('S', '5')
    .replaceAll(/[Zz]/g, '2')
    .replaceAll('B', '8')
}

const months = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')

/** Keeps the printed form, with single spaces: day or month may come first. */
function dateOf(raw: string): string | null {
  const text = raw.replaceAll(/\s+/g, ' ').trim()
  const figures = withBothMarks(asDigits(text).replaceAll(',', '.'))
  const numbers = /^(\d{1,4})\s?([-/. ])\s?(\d{1,2})\s?[-/. ]\s?(\d{1,4})$/.exec(figures)
  if (numbers) {
    const [, first, mark, second, third] = numbers
    const isYearFirst = first!.length === 4
    const [day, year] = isYearFirst ? [third!, first!] : [first!, third!]
    const plausible = Number(day) <= 31 && Number(second) <= 31 && /^(\d{2}|\d{4})$/.test(year)
    return plausible ? `${first}${mark}${second}${mark}${third}` : null
  }
  const named =
    /^([\dZOIl]{1,2})\s?([0A-Za-z][A-Za-z]{2,8}?)\.?,?\s?([\dZOIl]{2}|[\dZOIl]{4})$/.exec(text)
  const month = monthOf(named?.[2])
  if (named && month) return `${asDigits(named[1]!)} ${month} ${asDigits(named[3]!)}`
  const american = /^([0A-Za-z][A-Za-z]{2,8})\.?\s?(\d{1,2}),?\s?(\d{4})$/.exec(text)
  const first = monthOf(american?.[1])
  if (american && first) return `${first} ${american[2]} ${american[3]}`
  return null
}

/** "08.0219" for 08.02.19: one of the two marks is often too faint to be read. */
function withBothMarks(figures: string): string {
  const year = '((?:19|20)?\\d{2})'
  const forms = [
    `^(\\d{2})([-/.]?)(\\d{2})([-/.]?)${year}$`,
    `^((?:19|20)\\d{2})([-/.]?)(0\\d|1[0-2])([-/.]?)(\\d{2})$`,
  ]
  for (const form of forms) {
    const [, first, before = '', second, after = '', third] = new RegExp(form).exec(figures) ?? []
    const mark = before || after
    if (first && mark) return `${first}${mark}${second}${mark}${third}`
  }
  return figures
}

/** The name of a month as printed; "0ct" is October. */
function monthOf(word: string | undefined): string | null {
  const name = word?.replace(/^0/, 'O')
  return name && months.includes(name.slice(0, 3).toUpperCase()) ? name : null
}
