/**
 * Cost of finding the shots of a file, beside decoding it and beside ffmpeg's own detector: CPU
 * time with all children, measured in turns. Short clips are measured more often.
 */
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { cpuOf, runCounted } from '../cpu.ts'
import type { ShotsAgain } from './shots-again.ts'
import { inTurns, median, scatter } from '../figures.ts'

const command = fileURLToPath(new URL('../../../engine/analyse-command.ts', import.meta.url))
const again = fileURLToPath(new URL('shots-again.ts', import.meta.url))
/** Set by `npm run analyse`: the entry's own code is cached too. */
const cached = {
  NODE_COMPILE_CACHE: fileURLToPath(
    new URL('../../../node_modules/.cache/compile', import.meta.url),
  ),
}

export async function printShotCost(file: string): Promise<void> {
  const rounds = Math.min(5, Math.max(3, Math.ceil(2 / (await decodeCpu(file)))))
  const analysis: number[] = []
  const costs = await inTurns(rounds, {
    decode: () => decodeCpu(file),
    async extractor() {
      const costs = await shotsAgain(file)
      analysis.push(costs.analysis)
      return costs.extractor
    },
    command: () => analyseCpu(file, 'shots'),
    scdet: () => cpuOf('ffmpeg', [...decode(file), '-vf', 'scdet', '-f', 'null', '-']),
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

/** `npm run bench -- shot-cost FOLDER`: every clip of a folder, and all together. */
export async function run([folder]: string[]): Promise<void> {
  if (folder === undefined) return console.log('Name a folder with clips.')
  const sums = { decode: 0, extractor: 0 }
  for (const name of (await readdir(folder)).toSorted()) {
    const file = path.join(folder, name)
    const costs = await inTurns(3, {
      decode: () => decodeCpu(file),
      extractor: async () => (await shotsAgain(file)).extractor,
    })
    const [alone, extractor] = [median(costs.decode), median(costs.extractor)]
    sums.decode += alone
    sums.extractor += extractor
    console.log(
      `${name}: CPU ÷ decode alone ${(extractor / alone).toFixed(2)} ` +
        `(CPU s: decode ${scatter(costs.decode)}, extractor ${scatter(costs.extractor)})`,
    )
  }
  console.log(
    `all clips together: ${(sums.extractor / sums.decode).toFixed(3)} (target ≤ 1.10), ` +
      `${sums.extractor.toFixed(1)} s beside ${sums.decode.toFixed(1)} s`,
  )
}

function decode(file: string): string[] {
  return ['-v', 'error', '-nostdin', '-i', file, '-map', '0:v:0']
}

function decodeCpu(file: string): Promise<number> {
  return cpuOf('ffmpeg', [...decode(file), '-f', 'null', '-'])
}

async function shotsAgain(file: string): Promise<ShotsAgain> {
  return JSON.parse(await runCounted(process.execPath, [again, file], cached)) as ShotsAgain
}

export function analyseCpu(file: string, id?: string): Promise<number> {
  const chosen = id === undefined ? [] : ['--extractors', id]
  return cpuOf(process.execPath, [command, file, ...chosen], cached)
}
