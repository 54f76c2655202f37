import type { ListedJob } from '../../app/answers.ts'

const usualWayOn = 'Retry runs it as a new job.'
const otherFile = 'Check that it plays on your machine, then add the file again.'

/** The way on, by the cause. */
const wayOn: Partial<Record<string, string>> = {
  probe_failed: otherFile,
  extractor_failed: otherFile,
  no_video: otherFile,
  no_audio: otherFile,
  fetch_failed: 'Check that the URL opens in a private window, or upload the file instead.',
  unsupported_source: 'Upload the file instead.',
  too_long: 'Cut it into shorter parts.',
  too_large: 'Make a smaller copy, or cut it into parts.',
}

/** Says what to do about a job that failed. */
export function wayOnOf({ error }: Pick<ListedJob, 'error'>): string {
  return wayOn[error?.code ?? ''] ?? usualWayOn
}
