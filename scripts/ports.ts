/** Reads the ports of `npm start` and `npm run dev` and tries them before anything starts. */
import { createServer } from 'node:net'

/** Reads a port from the environment, or ends the process with a sentence. */
export function readPort(setting: string, standard: number): number {
  const text = process.env[setting] || String(standard)
  const port = Number(text)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  console.error(`The setting ${setting} is wrong: ${text} is no port from 1 to 65535.`)
  process.exit(1)
}

export async function refuseTakenPort(setting: string, port: number): Promise<void> {
  const server = createServer()
  await new Promise<void>((free, refuse) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      const why = code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${code})`
      refuse(new Error(`Port ${port} ${why}. Set ${setting} to a free one.`))
    })
    server.listen(port, 'localhost', () => server.close(() => free()))
  })
}
