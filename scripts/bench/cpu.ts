/**
 * CPU seconds (user and system) of a command with all its children. The sandbox leaves its inner
 * processes to init, so the command runs under a shell that is the init of its own process
 * namespace: what is left to it is counted too.
 */
import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

const alone = ['--user', '--map-root-user', '--pid', '--fork', '--mount-proc', '--kill-child']
const ticksPerSecond = 100
/** Tries of 50 ms each: processes that are to end have ended by then. */
const maxTries = 10

export async function cpuOf(
  command: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<number> {
  const shell = '"$@" >/dev/null 2>/dev/null; code=$?; sleep 0.3; times; exit $code'
  const printed = await runAlone(shell, [command, ...args], environment)
  const times = [...(printed.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
  if (times.length !== 2) throw new Error(`${command}: ${printed}`)
  return times.reduce((sum, [, m, s]) => sum + Number(m) * 60 + Number(s), 0)
}

/** Output of a command that counts its own CPU by `cpuSoFar`; `onText` gets it as it comes. */
export function runCounted(
  command: string,
  args: readonly string[],
  environment: Record<string, string> = {},
  onText?: (text: string) => void,
): Promise<string> {
  return runAlone('"$@"; exit $?', [command, ...args], environment, onText)
}

/** CPU seconds of this process, started by `runCounted`, and of all its children that ended. */
export async function cpuSoFar(): Promise<number> {
  // The inner processes have ended when their pipes close; init counts them a moment later.
  await wait(50)
  // A stopped model takes longer to free its memory; one that stays counts as it stands.
  for (let tries = 0; tries < maxTries && (await others()).length > 0; tries++) await wait(50)
  const staying = await Promise.all((await others()).map((pid) => cpuOfProcess(pid)))
  const { user, system } = process.cpuUsage()
  const children = (await endedTicks('self')) + (await endedTicks('1'))
  const stayed = staying.reduce((sum, seconds) => sum + seconds, 0)
  return (user + system) / 1e6 + children / ticksPerSecond + stayed
}

/** CPU seconds of a process with all its threads, without its children. */
export async function cpuOfProcess(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`)
  const times = await Promise.all(
    threads.map(async (thread) => {
      // A thread that ended meanwhile is not read; those of Node live as long as it does.
      const text = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0')
      return Number(text.split(' ')[0]) / 1e9
    }),
  )
  return times.reduce((sum, seconds) => sum + seconds, 0)
}

/** Processes in this namespace but its init and this one. */
async function others(): Promise<number[]> {
  const own = new Set(['1', String(process.pid)])
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && !own.has(name))
  return names.map(Number)
}

async function endedTicks(pid: string): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[13]) + Number(fields[14])
}

function runAlone(
  shell: string,
  words: readonly string[],
  environment: Record<string, string>,
  onText?: (text: string) => void,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('unshare', [...alone, 'bash', '-c', shell, 'bash', ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
    })
    let printed = ''
    let complaint = ''
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      onText?.(chunk.toString())
    })
    child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve(printed)
      else reject(new Error(`${words[0]} ended with ${code}: ${complaint}`))
    })
  })
}
