/** `npx cutindex mcp`: the tools over standard input and output. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { CutIndex } from '../cutindex.ts'
import { createAgentServer } from './tools.ts'

/** Serves until standard input ends. */
export async function serveStdio(
  client: CutIndex,
  { version, signal }: { version: string; signal: AbortSignal },
): Promise<void> {
  const server = createAgentServer(client, version)
  const ended = new Promise<void>((done) => {
    process.stdin.once('end', done)
    signal.addEventListener('abort', () => done())
  })
  await server.connect(new StdioServerTransport())
  await ended
  await server.close()
}
