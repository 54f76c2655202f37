/** Documents that are made to be slow: the API's own thread does not read them. */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { zip } from '../../engine/documents/files.testing.ts'
import { startTestServer } from '../support/app.ts'
import { use } from '../support/use.ts'
import { postFile } from '../support/upload.ts'

const server = use(startTestServer)

test('the work on an upload is done outside the process that answers', async () => {
  const { token } = await server.user()
  // Whatever is done once for all uploads is done before the measurement.
  await upload(token, 'first.txt', Buffer.from('first'))
  // 30 MB of tags in 30 KB.
  const slow = zip({ 'word/document.xml': '<a>'.repeat(10_000_000) })
  const besideBefore = await cpuBeside()
  // Not before: reading what all processes have used is work as well.
  const ownBefore = process.cpuUsage()
  const status = await upload(token, 'tags.docx', slow)
  const { user, system } = process.cpuUsage(ownBefore)
  const beside = (await cpuBeside()) - besideBefore
  assert.equal(status, 201)
  assert.ok(user + system < beside, `${user + system} µs here, ${beside} µs beside`)
})

/** Microseconds that the processes which look at files have used. */
async function cpuBeside(): Promise<number> {
  let ticks = 0
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const [stat, command] = await Promise.all(
      ['stat', 'cmdline'].map((name) => readFile(`/proc/${pid}/${name}`, 'latin1').catch(() => '')),
    )
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
    if (Number(fields[1]) !== process.pid || !command?.includes('look-process.ts')) continue
    ticks += Number(fields[11]) + Number(fields[12])
  }
  return ticks * 10_000
}

async function upload(token: string, name: string, bytes: Buffer): Promise<number> {
  return (await postFile(server, { token, bytes, name })).status
}
