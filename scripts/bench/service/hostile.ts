/**
 * `npm run bench -- hostile [SECONDS]`: the 99th percentile of one account's requests while another
 * account uploads 50 hostile documents at once, as a ratio to the same without them. Five accounts
 * do so, one after the other, and their bursts count together: one burst has too few requests for a
 * 99th percentile. The command fails when it is more than five times as long. Only an idle machine
 * gives a figure that counts.
 */
import { spawn } from 'node:child_process'
import { on } from 'node:events'
import { resolve } from 'node:path'
import { startApiProcess } from '../../../test/support/api-process.ts'
import { startTestServer } from '../../../test/support/app.ts'
import type { HostileOrder } from './hostile-client.ts'
import { send } from './load.ts'
import { print, quantile } from '../figures.ts'

const maxRatio = 5
const documents = 50
const bursts = 5
const perSecond = 100
const paths = ['/v1/user/me', '/v1/jobs?limit=5']

export async function run(args: string[] = []): Promise<void> {
  const seconds = Math.min(120, Number(args[0] ?? 10))
  await using server = await startTestServer()
  await using api = await startApiProcess(server, { environment: { CHECK_REPLIES: '0' } })
  const { token } = await server.user()
  const hostile = await Promise.all(Array.from({ length: bursts }, () => server.user()))
  const requests = { addresses: paths.map((path) => api.url + path), token, perSecond }
  const tokens = hostile.map((account) => account.token)
  const client = openHostileClient({ url: api.url, tokens, documents })
  await client.ready()
  // As in a service that is in use: an earlier burst of several accounts has opened connections,
  // and the API keeps them.
  const users = await Promise.all(Array.from({ length: 8 }, () => server.user()))
  for (const address of [...requests.addresses, ...requests.addresses]) {
    const burst = users.flatMap((user) =>
      Array.from({ length: 8 }, async () => {
        const headers = { authorization: `Bearer ${user.token}` }
        await (await fetch(address, { headers })).arrayBuffer()
      }),
    )
    await Promise.all(burst)
  }
  await send({ ...requests, seconds: 2 })
  const idle = await send({ ...requests, seconds })
  const busy: number[] = []
  const answers: number[] = []
  for (let burst = 0; burst < bursts; burst += 1) {
    if (burst > 0) await client.ready()
    let isOver = false
    const uploads = client.upload().finally(() => (isOver = true))
    while (!isOver) busy.push(...(await send({ ...requests, seconds: 1 })))
    answers.push(...(await uploads))
  }
  const [idleMs, busyMs] = [quantile(idle, 0.99), quantile(busy, 0.99)]
  print(
    `hostile: p99 while ${bursts} × ${documents} hostile documents upload / idle p99`,
    busyMs / idleMs,
    { max: maxRatio },
    `${busyMs.toFixed(1)} ms, idle ${idleMs.toFixed(1)} ms; ${busy.length} requests;` +
      ` answers ${tally(answers)}`,
  )
}

/**
 * The documents are built before anything is measured. Whoever sends them has a processor of their
 * own, so here they get what nobody else wants.
 */
function openHostileClient(order: HostileOrder) {
  const file = resolve(import.meta.dirname, 'hostile-client.ts')
  const child = spawn('nice', ['-n', '19', process.execPath, file], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const messages = on(child, 'message')
  const next = async (): Promise<unknown> => {
    const { value } = (await messages.next()) as { value: [unknown] }
    return value[0]
  }
  child.send(order)
  return {
    /** Once the documents of the next burst are built. */
    ready: next,
    async upload(): Promise<number[]> {
      child.send('go')
      return (await next()) as number[]
    },
  }
}

function tally(answers: number[]): string {
  const counts = Map.groupBy(answers, (status) => status)
  return [...counts].map(([status, all]) => `${all.length} × ${status}`).join(', ')
}
