/** Finds the shots of a file several times in one process, as a worker does: FILE TIMES. */
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { analyse } from '../../engine/analyse.ts'

if (import.meta.main) {
  const [file = '', times = '1'] = process.argv.slice(2)
  const workDir = await mkdtemp(path.join(os.tmpdir(), 'shots-again-'))
  for (let turn = 0; turn < Number(times); turn++) {
    const { outcomes } = await analyse({ file, extractors: ['shots'], workDir })
    if (outcomes.shots?.status !== 'done') throw new Error(JSON.stringify(outcomes))
  }
  await rm(workDir, { recursive: true })
}
