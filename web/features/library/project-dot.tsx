import type { Project } from '../../../contract/footage/projects.ts'

const fills: Record<Project['colour'], string> = {
  grey: 'bg-ink-3',
  cyan: 'bg-[oklch(70%_0.13_215)]',
  green: 'bg-[oklch(70%_0.15_150)]',
  yellow: 'bg-[oklch(80%_0.15_90)]',
  orange: 'bg-[oklch(72%_0.15_55)]',
  red: 'bg-[oklch(65%_0.19_25)]',
  violet: 'bg-[oklch(65%_0.16_300)]',
}

export function ProjectDot({ colour }: { colour: Project['colour'] }) {
  return <span aria-hidden className={`size-2 shrink-0 rounded-full ${fills[colour]}`} />
}
