/**
 * Cost of one more file in a process that runs already, as a worker's does: FILE. Everything is
 * loaded by a first turn; the tools are started again. Prints CPU seconds of the extractor (the
 * file is probed, as for every extractor of a job) and of a whole analysis.
 */
import os from 'node:os'
import path from 'node:path'
import { analyse } from '../../../engine/analyse.ts'
import { shotsExtractor } from '../../../engine/extractors/shots.ts'
import { gatherSignals } from '../../../engine/extractors/gather.ts'
import { probe } from '../../../engine/probe.ts'
import { cpuSoFar } from '../cpu.ts'
import { mkdtempDisposable } from 'node:fs/promises'

export interface ShotsAgain {
  extractor: number
  analysis: number
}

if (import.meta.main) {
  const [file = ''] = process.argv.slice(2)
  await using scratch = await mkdtempDisposable(path.join(os.tmpdir(), 'shots-again-'))
  const workDir = scratch.path
  await analyseShots(file, workDir)
  const extractor = await extractorOf(file, workDir)
  const costs: ShotsAgain = {
    extractor: await cpuOfTurn(extractor),
    analysis: await cpuOfTurn(() => analyseShots(file, workDir)),
  }
  console.log(JSON.stringify(costs))
}

async function analyseShots(file: string, workDir: string): Promise<void> {
  const { outcomes } = await analyse({ file, extractors: ['shots'], workDir })
  if (outcomes.shots?.status !== 'done') throw new Error(JSON.stringify(outcomes))
}

async function extractorOf(file: string, workDir: string): Promise<() => Promise<void>> {
  const probed = await probe(file)
  if (probed.status !== 'media') throw new Error(JSON.stringify(probed))
  const { media, details } = probed
  return async () => {
    const needs = new Set(shotsExtractor.needs)
    const gathered = await gatherSignals({ file, media, details, workDir, needs })
    const signals = {
      ...gathered,
      file,
      media,
      details,
      workDir,
      report: null,
      hearings: null,
      turns: null,
      findings: {},
    }
    await shotsExtractor.run(signals, {}, {})
  }
}

async function cpuOfTurn(turn: () => Promise<void>): Promise<number> {
  const before = await cpuSoFar()
  await turn()
  return (await cpuSoFar()) - before
}
