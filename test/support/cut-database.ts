/** A server whose line to PostgreSQL a test can cut. */
import { join } from 'node:path'
import { startTestServer } from './app.ts'
import type { TestServer } from './app.ts'
import { openTestDatabase } from './database.ts'
import { startLine } from './throttled-socket.ts'
import type { Line } from './throttled-socket.ts'

export async function startOnLine(): Promise<{
  server: TestServer
  line: Line
  stop: () => Promise<void>
}> {
  const database = await openTestDatabase()
  const url = new URL(database.url)
  const folder = url.searchParams.get('host')
  const port = url.port || '5432'
  const line = await startLine(folder ? join(folder, `.s.PGSQL.${port}`) : Number(port))
  url.searchParams.delete('host')
  url.host = `127.0.0.1:${line.port}`
  const server = await startTestServer({ environment: { DATABASE_URL: url.href } })
  return {
    server,
    line,
    async stop() {
      await server.stop()
      await line.close()
      await database.close()
    },
  }
}
