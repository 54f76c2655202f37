/** The findings themselves, checked against their schema; a moved threshold is already applied. */
import type { ExportOptions } from '../../../contract/footage/export-options.ts'
import { Findings } from '../../../domain/findings/findings.ts'
import { chosenChanges, chosenShots } from '../timeline/timeline.ts'

export function writeJson(findings: Findings, options: ExportOptions): string {
  return `${JSON.stringify(Findings.parse(recut(findings, options)), null, 2)}\n`
}

export function recut(findings: Findings, options: ExportOptions): Findings {
  const { shots } = findings
  const asked = [options.threshold, options.accepted_shots, options.rejected_shots]
  if (!shots || asked.every((value) => value === undefined)) return findings
  const changes = chosenChanges(findings, options)
  return {
    ...findings,
    shots: {
      ...shots,
      changes,
      threshold: options.threshold ?? shots.threshold,
      shots: chosenShots(findings, options),
    },
  }
}
