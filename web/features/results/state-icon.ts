/** The page's icon while a job is shown: how far it is, or how it ended. */
import type { JobStatus } from '../../../contract/footage/jobs.ts'

const colours: Partial<Record<JobStatus, string>> = {
  completed: '#3fb968',
  failed: '#e5484d',
  canceled: '#8b949e',
}
const running = '#1fb7e0'

/** Returns what puts the product's own icon back. */
export function showStateInIcon(status: JobStatus, progress: number): () => void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (!link) return () => undefined
  const usual = '/favicon.svg'
  link.href = `data:image/svg+xml,${encodeURIComponent(drawIcon(status, progress))}`
  return () => {
    link.href = usual
  }
}

function drawIcon(status: JobStatus, progress: number): string {
  const around = 2 * Math.PI * 12
  const ended = colours[status]
  const shape = ended
    ? `<circle cx="16" cy="16" r="9" fill="${ended}"/>`
    : `<circle cx="16" cy="16" r="12" fill="none" stroke="#3a4650" stroke-width="5"/>
       <circle cx="16" cy="16" r="12" fill="none" stroke="${running}" stroke-width="5"
         stroke-dasharray="${(around * progress).toFixed(1)} ${around.toFixed(1)}"
         transform="rotate(-90 16 16)"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#0b1013"/>${shape}</svg>`
}
