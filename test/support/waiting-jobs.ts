import { sql } from 'kysely'
import type { TestServer, TestUser } from './app.ts'

/** Jobs that wait for a worker, as rows without a hold. */
export async function addWaitingJobs(
  server: TestServer,
  user: Pick<TestUser, 'accountId'>,
  count: number,
): Promise<void> {
  await sql`insert into jobs (account_id, status, content_url, content_name, workflow, price_version,
      quoted_seconds, media_seconds, held_micros, created_at)
    select ${user.accountId}, 'queued', 'https://example.com/clip.mov', 'clip.mov', 'ffprobe', 'test',
      1, 1, 0, ${server.ctx.now()}
    from generate_series(1, ${count}::int)`.execute(server.ctx.db)
}
