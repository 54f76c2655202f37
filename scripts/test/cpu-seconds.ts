import { readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second here, whatever its own clock does. */
const ticksOfSecond = 100

/**
 * The processor time of this process and of the children that it has waited for, with theirs.
 * Unlike wall time it hardly depends on what else the machine does.
 */
export function cpuSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'latin1')
  // The name in brackets may hold anything; utime, stime, cutime and cstime are fields 14 to 17.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksOfSecond
}
