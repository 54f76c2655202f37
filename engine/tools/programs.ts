/** Looks for the programs that the engine runs in the system's folders, not on the PATH. */
import { existsSync } from 'node:fs'
import path from 'node:path'

/** Programs of the system that isolate the media tools. */
export const launchers = {
  bwrap: '/usr/bin/bwrap',
  perl: '/usr/bin/perl',
  prlimit: '/usr/bin/prlimit',
  setpriv: '/usr/bin/setpriv',
}

/** Media tools may be builds of the machine's owner. */
const folders = ['/usr/local/bin', '/usr/bin', '/bin']

export function findProgram(name: string): string | undefined {
  const files =
    name in launchers
      ? [launchers[name as keyof typeof launchers]]
      : folders.map((folder) => path.join(folder, name))
  return files.find((file) => existsSync(file))
}
