/** Promise 40: a background task whose worker is killed goes on soon, whichever it is. */
import { randomUUID } from 'node:crypto'
import { tasks } from '../../server/tasks.ts'
import { until } from '../../test/support/until.ts'
import type { House, Proof } from './jobs-fixture.ts'

const limitMs = 60_000

export async function proveTasks(house: House): Promise<Proof> {
  const nobody = randomUUID()
  const ids = { accountId: nobody, exportId: nobody, endpointId: nobody, paymentMethodId: nobody }
  const victim = house.worker({ tasks: 'hold' })
  for (const { name } of tasks) await house.ctx.queue.send(name, ids)
  const begun = (): Set<string> => new Set(victim.tasks.map((task) => task.name))
  await until(() => begun().size === tasks.length)
  victim.child.kill('SIGKILL')
  await victim.ended
  const diedMs = Date.now()
  const other = house.worker({ tasks: 'run' })
  const waits = (): { name: string; ms: number }[] =>
    victim.tasks.map(({ name, id }) => {
      const again = other.tasks.find((task) => task.id === id)
      return { name, ms: (again?.atMs ?? Infinity) - diedMs }
    })
  const isOver = (): boolean =>
    Date.now() - diedMs > limitMs || waits().every(({ ms }) => ms < Infinity)
  await until(isOver)
  other.child.kill('SIGTERM')
  await other.ended
  const late = waits().filter(({ ms }) => ms > limitMs)
  const longest = Math.max(...waits().map(({ ms }) => ms))
  return {
    promise: '40 kill -9 in each task',
    figures: `${tasks.length} queues, on after at most ${(longest / 1000).toFixed(1)} s (limit 60 s)`,
    breaches: late.map(({ name }) => `${name} did not go on`),
  }
}
