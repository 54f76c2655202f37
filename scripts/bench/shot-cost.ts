/**
 * What finding the shots of a file costs, beside decoding it and beside ffmpeg's own detector: CPU
 * time with all children, measured in turns. Short clips are measured more often.
 */
import { fileURLToPath } from 'node:url'
import { cpuOf } from './cpu.ts'
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
  const rounds = Math.min(5, Math.max(2, Math.ceil(3 / (await decodeCpu()))))
  const costs = await inTurns(rounds, {
    decode: decodeCpu,
    whole: () => analyseCpu(file, 'shots'),
    scdet: () => cpuOf('ffmpeg', [...decode, '-vf', 'scdet', '-f', 'null', '-']),
    twice: () => cpuOf(process.execPath, [again, file, '2'], cached),
    five: () => cpuOf(process.execPath, [again, file, '5'], cached),
  })
  const limit = median(costs.decode)
  // What one more file costs a worker: everything is loaded, the tools are started anew.
  const more = (median(costs.five) - median(costs.twice)) / 3
  console.log(
    `  CPU ÷ decode alone: shots ${ratio(more, limit)} in a process that runs already, ` +
      `${ratio(median(costs.whole), limit)} the whole command (target ≤ 1.20), ` +
      `scdet ${ratio(median(costs.scdet), limit)}`,
  )
  console.log(
    `  CPU s: decode ${scatter(costs.decode)}, command ${scatter(costs.whole)}, ` +
      `scdet ${scatter(costs.scdet)}`,
  )
}

export function analyseCpu(file: string, id?: string): Promise<number> {
  const chosen = id === undefined ? [] : ['--extractors', id]
  return cpuOf(process.execPath, [command, file, ...chosen], cached)
}

function ratio(value: number, limit: number): string {
  return (value / limit).toFixed(2)
}
