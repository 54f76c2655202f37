import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** One start for one data directory. A lock whose process is gone is taken over. */
export function lockDirectory(dir: string): () => void {
  const file = join(dir, 'start.lock')
  const mine = `${process.pid} ${startTimeOf(process.pid)}`
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      writeFileSync(file, mine, { flag: 'wx' })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const text = readFileSync(file, 'utf8')
      if (!/^(\d+ \w+)?$/.test(text)) {
        throw new Error(`The file ${file} is not of CutIndex. Move it away.`, { cause: error })
      }
      const [pid = '0', startTime = ''] = text.split(' ')
      if (startTimeOf(Number(pid)) === startTime) {
        throw new Error(
          `Another CutIndex (process ${pid}) runs on ${dir}. Stop it, or set DATA_DIR to another folder.`,
          { cause: error },
        )
      }
      rmSync(file, { force: true })
    }
  }
  throw new Error(`The folder ${dir} could not be locked. Please try again.`)
}

/** When a process started, in clock ticks: tells it from a later one with the same number. */
function startTimeOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return 'gone'
  }
}
