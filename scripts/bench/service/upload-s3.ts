/**
 * A resumable upload into S3, in the web's pieces: processor time per gigabyte as a ratio to a bare
 * `node:http` server that hands the same stream on to the same store, and to one that writes it to
 * a disk; how often each byte is written to the store, and how long the last PATCH takes. The store
 * is s3rver, in this process. `npm run bench -- upload-s3 [gigabytes] [rounds]`
 */
import { startApiProcess } from '../../../test/support/api-process.ts'
import { startTestServer } from '../../../test/support/app.ts'
import { startStrictS3 } from '../../../test/support/strict-s3.ts'
import { measure, sendFile, sendPieces, startBare } from './upload.ts'
import { median, print } from '../figures.ts'

const maxRatio = 1.5
/** Each byte once; pieces of 8 MiB are parts by themselves. */
const maxWrites = 1.01

export async function run(args: string[] = []): Promise<void> {
  const gigabytes = Number(args[0] ?? 0.5)
  const rounds = Number(args[1] ?? 3)
  const credentials = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }
  Object.assign(process.env, credentials)
  await using s3 = await startStrictS3()
  const environment = { STORAGE_URL: `s3://${s3.bucket}/files`, S3_ENDPOINT: s3.endpoint }
  await using server = await startTestServer({ environment })
  await using ours = await startApiProcess(server, {
    environment: { ...environment, ...credentials },
  })
  const { dataDir } = server.ctx.config
  const intoStore = { program: 'upload-bare-store.ts', args: [s3.endpoint, s3.bucket] }
  await using store = await startBare(dataDir, intoStore)
  await using disk = await startBare(dataDir)
  const bare = { store, disk }
  const { token } = await server.user()
  await sendPieces(ours.url, token, 64 * 1024 ** 2)
  for (const { url } of Object.values(bare)) await sendFile(url, token, 64 * 1024 ** 2)
  const size = gigabytes * 1024 ** 3
  const ratios: Record<keyof typeof bare, number[]> = { store: [], disk: [] }
  let writes = 0
  for (let round = 0; round < rounds; round += 1) {
    const before = s3.writtenBytes
    let lastMs = 0
    const spent = await measure(ours.pid, async () => {
      lastMs = await sendPieces(ours.url, token, size)
    })
    writes = (s3.writtenBytes - before) / size
    const theirs = { store: 0, disk: 0 }
    for (const peer of ['store', 'disk'] as const) {
      const { pid, url } = bare[peer]
      const { cpuSeconds } = await measure(pid, () => sendFile(url, token, size))
      theirs[peer] = cpuSeconds / gigabytes
      ratios[peer].push(spent.cpuSeconds / cpuSeconds)
    }
    console.log(
      `upload-s3 round ${round + 1}: ${(spent.cpuSeconds / gigabytes).toFixed(2)} s of CPU per GB,` +
        ` bare into the store ${theirs.store.toFixed(2)}, onto a disk ${theirs.disk.toFixed(2)};` +
        ` memory +${(spent.growthBytes / 1024 ** 2).toFixed(0)} MB;` +
        ` last PATCH ${(lastMs / 1000).toFixed(2)} s`,
    )
  }
  const name = 'upload-s3: CPU per GB / bare node:http into the same store'
  const more = `onto a disk ${median(ratios.disk).toFixed(2)}`
  print(name, median(ratios.store), { max: maxRatio }, more)
  print('upload-s3: how often each byte is written', writes, { max: maxWrites })
}
