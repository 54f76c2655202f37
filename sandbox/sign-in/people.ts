/** The people who can sign in here. The same e-mail is the same person, always. */
import { answerText } from '../http.ts'
import type { Answer, Request } from '../http.ts'
import { sha256 } from '../ids.ts'

export type Person = {
  email: string
  isVerified: boolean
  /** Absent for a person without a public name. */
  name?: string
  /** GitHub shows an e-mail on the profile only if its owner wants so. */
  hidesEmail?: boolean
}

export const demoPeople: (Person & { about: string })[] = [
  {
    email: 'edda.lind@example.com',
    isVerified: true,
    name: 'Edda Lind',
    about: 'Editor, verified e-mail',
  },
  {
    email: 'marco.reyes@example.com',
    isVerified: true,
    name: 'Marco Reyes',
    hidesEmail: true,
    about: 'Assistant editor, verified e-mail that the profile hides',
  },
  {
    email: 'ola.unverified@example.net',
    isVerified: false,
    name: 'Ola Berg',
    about: 'E-mail not verified',
  },
  { email: 'noname@example.org', isVerified: true, about: 'No public name' },
]

export function githubId(person: Person): number {
  return Number.parseInt(sha256(`github:${person.email}`).slice(0, 8), 16)
}

export function googleSubject(person: Person): string {
  const digits = BigInt(`0x${sha256(`google:${person.email}`).slice(0, 20)}`).toString()
  return `1${digits.padStart(24, '0').slice(-20)}`
}

/** GitHub's login: letters, digits and single hyphens. */
export function githubLogin(person: Person): string {
  const base = (person.email.split('@')[0] ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  const domain = person.email.split('@')[1] ?? ''
  // Two people of the same name at different houses need different logins.
  const suffix = domain === 'example.com' ? '' : `-${sha256(domain).slice(0, 4)}`
  return `${base.slice(0, 30) || 'user'}${suffix}`
}

export function avatarUrl(publicUrl: string, person: Person): string {
  return `${publicUrl}/avatars/${sha256(person.email).slice(0, 12)}`
}

export function drawAvatar({ path }: Request): Answer {
  const hue = Number.parseInt(sha256(path['id'] ?? '').slice(0, 4), 16) % 360
  return answerText(
    200,
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">` +
      `<rect width="64" height="64" fill="hsl(${hue} 55% 42%)"/>` +
      `<circle cx="32" cy="25" r="11" fill="hsl(${hue} 60% 88%)"/>` +
      `<path d="M10 60c3-15 12-21 22-21s19 6 22 21z" fill="hsl(${hue} 60% 88%)"/></svg>`,
    'image/svg+xml',
  )
}
