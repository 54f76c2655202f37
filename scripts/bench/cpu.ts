/** CPU seconds (user and system) of a command with all its children, as the shell counts them. */
import { spawn } from 'node:child_process'

export function cpuOf(command: string, args: readonly string[]): Promise<number> {
  const shell = 'TIMEFORMAT="cpu %U %S"; time "$@" >/dev/null 2>/dev/null'
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', shell, 'bash', command, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let text = ''
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
    child.on('error', reject)
    child.on('close', (code) => {
      const times = /cpu ([\d.]+) ([\d.]+)/.exec(text)
      if (code === 0 && times) resolve(Number(times[1]) + Number(times[2]))
      else reject(new Error(`${command} ended with ${code}: ${text}`))
    })
  })
}
