/**
 * What finding the shots of a file costs, beside decoding it and beside ffmpeg's own detector: CPU
 * time with all children, measured in turns. Short clips are measured more often.
 */
import { fileURLToPath } from 'node:url'
import { cpuOf, runCounted } from './cpu.ts'
import type { ShotsAgain } from './shots-again.ts'
import { inTurns, median, scatter } from './turns.ts'

const command = fileURLToPath(new URL('../../engine/analyse-command.ts', import.meta.url))
const again = fileURLToPath(new URL('shots-again.ts', import.meta.url))
/** What `npm run analyse` sets: the entry's own code is cached too. */
const cached = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url)),
}

export async function printShotCost(file: string): Promise<void> {
  const decode = ['-v', 'error', '-nostdin', '-i', file, '-map', '0:v:0']
  const decodeCpu = (): Promise<number> => cpuOf('ffmpeg', [...decode, '-f', 'null', '-'])
  const rounds = Math.min(5, Math.max(3, Math.ceil(2 / (await decodeCpu()))))
  const analysis: number[] = []
  const costs = await inTurns(rounds, {
    decode: decodeCpu,
    async extractor() {
      const printed = await runCounted(process.execPath, [again, file], cached)
      const costs = JSON.parse(printed) as ShotsAgain
      analysis.push(costs.analysis)
      return costs.extractor
    },
    command: () => analyseCpu(file, 'shots'),
    scdet: () => cpuOf('ffmpeg', [...decode, '-vf', 'scdet', '-f', 'null', '-']),
  })
  const limit = median(costs.decode)
  const ratio = (values: readonly number[]): string => (median(values) / limit).toFixed(2)
  console.log(
    `  CPU ÷ decode alone: the extractor ${ratio(costs.extractor)} (target ≤ 1.20), ` +
      `with the probe ${ratio(analysis)}, as a command of its own ${ratio(costs.command)}; ` +
      `scdet ${ratio(costs.scdet)}`,
  )
  console.log(
    `  CPU s: decode ${scatter(costs.decode)}, extractor ${scatter(costs.extractor)}, ` +
      `command ${scatter(costs.command)}, scdet ${scatter(costs.scdet)}`,
  )
}

export function analyseCpu(file: string, id?: string): Promise<number> {
  const chosen = id === undefined ? [] : ['--extractors', id]
  return cpuOf(process.execPath, [command, file, ...chosen], cached)
}
