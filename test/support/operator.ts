/** `npm run -s operator -- …` as an operator types it, against a test's server. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { testEnvironment } from './app.ts'
import type { TestServer } from './app.ts'

const execute = promisify(execFile)

export async function runOperator(
  server: TestServer,
  words: string[],
): Promise<{ stdout: string; stderr: string; code: number }> {
  const { config } = server.ctx
  const file = join(import.meta.dirname, '../../server/process/operator.ts')
  const env = {
    PATH: process.env.PATH,
    ...testEnvironment,
    LOG_LEVEL: 'error',
    STRIPE_API_URL: config.stripe.apiUrl,
    DATABASE_URL: config.databaseUrl,
    DATA_DIR: config.dataDir,
    STORAGE_URL: config.storageUrl,
    OPERATOR_CREATES_ACCOUNTS: '1',
  }
  try {
    return { ...(await execute(process.execPath, [file, ...words], { env })), code: 0 }
  } catch (error) {
    return error as { stdout: string; stderr: string; code: number }
  }
}
