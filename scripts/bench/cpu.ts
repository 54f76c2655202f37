/**
 * CPU seconds (user and system) of a command with all its children. The sandbox leaves its inner
 * processes to init, so the command runs under a shell that is the init of its own process
 * namespace: what is left to it is counted too.
 */
import { spawn } from 'node:child_process'

export function cpuOf(
  command: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<number> {
  const shell = '"$@" >/dev/null 2>/dev/null; code=$?; sleep 0.3; times >&2; exit $code'
  const alone = ['--user', '--map-root-user', '--pid', '--fork', '--mount-proc', '--kill-child']
  return new Promise((resolve, reject) => {
    const words = [...alone, 'bash', '-c', shell, 'bash', command, ...args]
    const env = { ...process.env, ...environment }
    const child = spawn('unshare', words, { stdio: ['ignore', 'ignore', 'pipe'], env })
    let text = ''
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
    child.on('error', reject)
    child.on('close', (code) => {
      const children = text.trim().split('\n').at(-1) ?? ''
      const times = [...children.matchAll(/(\d+)m([\d.]+)s/g)]
      const seconds = times.reduce((sum, [, m, s]) => sum + Number(m) * 60 + Number(s), 0)
      if (code === 0 && times.length === 2) resolve(seconds)
      else reject(new Error(`${command} ended with ${code}: ${text}`))
    })
  })
}
