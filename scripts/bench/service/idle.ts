/**
 * `npm run bench -- idle [SECONDS]`: the load of a service without work on PostgreSQL. Two APIs and
 * first four, then twelve real workers run beside each other; their transactions over a minute and
 * their connections, both as PostgreSQL counts them, are drawn out to 100 workers along the line
 * through the two measurements.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { startApiProcess, startWorkerProcess } from '../../../test/support/api-process.ts'
import { startTestServer } from '../../../test/support/app.ts'
import { print } from '../figures.ts'

const workerCounts = [4, 12] as const
const drawnOutTo = 100
const limits = { transactions: 100, connections: 200 }
/** Connections that were needed for the start are closed after 30 s without use. */
const settleMs = 60_000

interface Figures {
  /** A second. */
  transactions: number
  connections: number
}

export async function run(args: string[] = []): Promise<void> {
  const seconds = Math.min(600, Number(args[0] ?? 60))
  await using server = await startTestServer()
  await using processes = new AsyncDisposableStack()
  await using observer = await observe(server.ctx.config.databaseUrl)
  processes.use(await startApiProcess(server))
  let workers = 0
  const figures: Figures[] = []
  for (const count of workerCounts) {
    for (; workers < count; workers += 1) processes.use(await startWorkerProcess(server))
    await wait(settleMs)
    const measured = await observer.measure(seconds)
    figures.push(measured)
    console.log(
      `idle: ${count} workers and 2 APIs: ${measured.transactions.toFixed(1)} transactions/s,` +
        ` ${measured.connections} connections`,
    )
  }
  for (const name of ['transactions', 'connections'] as const) {
    const drawn = drawOut(figures.map((figure) => figure[name]))
    const unit = name === 'transactions' ? 'transactions/s' : name
    print(`idle: ${unit} of ${drawnOutTo} workers`, drawn, { max: limits[name] })
  }
}

function drawOut([first = 0, second = 0]: number[]): number {
  const [few, more] = workerCounts
  return second + ((second - first) / (more - few)) * (drawnOutTo - more)
}

/** Looks on from another database, so that it is not counted itself. */
async function observe(
  databaseUrl: string,
): Promise<AsyncDisposable & { measure(seconds: number): Promise<Figures> }> {
  const url = new URL(databaseUrl)
  const name = url.pathname.slice(1)
  url.pathname = '/postgres'
  const client = new Client({ connectionString: url.href })
  await client.connect()
  const count = async (text: string): Promise<number> => {
    const { rows } = await client.query<{ count: string }>(text, [name])
    return Number(rows[0]?.count)
  }
  const transactions = (): Promise<number> =>
    count('select xact_commit + xact_rollback as count from pg_stat_database where datname = $1')
  return {
    async measure(seconds) {
      const before = await transactions()
      let connections = 0
      for (let second = 0; second < seconds; second += 1) {
        await wait(1000)
        const open = await count('select count(*) from pg_stat_activity where datname = $1')
        connections = Math.max(connections, open)
      }
      return { transactions: ((await transactions()) - before) / seconds, connections }
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}
