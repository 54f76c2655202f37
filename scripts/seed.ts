/**
 * `npm run seed`: fills the running product (`npm run dev` or `npm start`) through its own API, as
 * the demo person Edda Lind: a library of every kind, a purchase, two cards, an API key, and jobs
 * that are completed, failed, canceled, running and queued. Sign in as her to see it.
 */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { api } from '../contract/api.ts'
import type { ApiClient } from '../contract/api.ts'
import type { ContentItem } from '../contract/footage/content.ts'
import { createClient } from '../client/create-client.ts'
import { makeClip } from '../engine/clips.testing.ts'
import { givenSettings as given } from '../server/ground/given-settings.ts'
import { until } from '../test/support/until.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '..')
const dataDir = resolve(given.DATA_DIR ?? './data')
const email = 'edda.lind@example.com'
const jobLimitMs = 1_800_000
const everything = 'ffprobe,thumbnail,transcription,shots,talking,cutpoints'

interface Product {
  url: string
  sandboxUrl: string
  publishableKey: string
  token: string
  client: ApiClient
}

const product = await reachProduct()
const { content: known } = await product.client.listContent({ query: {} })
if (known.some((item) => item.file_name === 'Interview take 3.mp4')) {
  console.log(`${email} has been seeded already. Remove ${dataDir} for a fresh start.`)
  process.exit(0)
}
const folder = await mkdtemp(join(tmpdir(), 'cutindex-seed-'))
try {
  await buyCredit(product)
  await saveCard(product, '4242424242424242')
  await saveCard(product, '5555555555554444')
  await product.client.createApiKey({ body: { name: 'Ingest script' } })
  await runJobs(product, await fillLibrary(product, folder))
} finally {
  await rm(folder, { recursive: true, force: true })
}
console.log(`Seeded. Open ${product.url}, press Login, choose GitHub and Edda Lind.`)

async function reachProduct(): Promise<Product> {
  const file = join(dataDir, 'settings.json')
  if (!existsSync(file)) stop(`There is no product in ${dataDir} yet.`)
  const settings = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  const url = settings.PUBLIC_URL ?? given.PUBLIC_URL ?? `http://localhost:${settings.PORT}`
  const health = await fetch(`${url}/v1/health`).catch(() => null)
  if (!health?.ok) stop(`The product does not answer at ${url}.`)
  if (!settings.STRIPE_API_URL)
    stop('This product takes real money; seed only one with the sandbox.')
  const operator = ['server/process/operator.ts', 'session', email]
  const { stdout } = await run(process.execPath, operator, {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir },
  })
  const token = stdout.trim()
  return {
    url,
    sandboxUrl: settings.STRIPE_API_URL ?? '',
    publishableKey: settings.STRIPE_PUBLISHABLE_KEY ?? '',
    token,
    client: createClient(api, { base: url, token: () => token }),
  }
}

function stop(why: string): never {
  console.error(`${why} Start it first: npm run dev`)
  process.exit(2)
}

async function buyCredit({ client, url }: Product): Promise<void> {
  const { checkout_url: page, session_id: id } = await client.createCheckout({
    body: {
      credit_package_id: 'pkg-power-50',
      success_url: `${url}/payment/success`,
      cancel_url: `${url}/payment/cancel`,
    },
  })
  const card = { number: '4242424242424242', expiry: '12 / 40', cvc: '123' }
  const form = new URLSearchParams({ email, name: 'Edda Lind', ...card })
  await fetch(page, { method: 'POST', redirect: 'manual', body: form })
  await until(
    () => client.getPaymentSession({ params: { id } }),
    ({ status }) => status === 'credited',
  )
  console.log('Bought credit.')
}

/** As the provider's form in the browser does it. */
async function saveCard(
  { client, sandboxUrl, publishableKey }: Product,
  number: string,
): Promise<void> {
  const { client_secret: secret } = await client.createSetupIntent()
  const [id = ''] = secret.split('_secret_')
  await fetch(`${sandboxUrl}/v1/setup_intents/${id}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${publishableKey}` },
    body: new URLSearchParams({
      client_secret: secret,
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': number,
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': '2040',
      'payment_method_data[card][cvc]': '123',
    }),
  })
  await client.confirmSetupIntent({ body: { setup_intent_id: id } })
}

interface Library {
  sample: ContentItem
  clip: ContentItem
  torn: ContentItem
  long: ContentItem
}

async function fillLibrary(product: Product, folder: string): Promise<Library> {
  const { content: sample } = await product.client.addSample()
  const source = '-f lavfi -i testsrc2=size=640x360:rate=25:duration'
  const colour = '-f lavfi -i smptebars=size=640x360:rate=25:duration'
  const tone = '-f lavfi -i sine=330:duration'
  const codec = '-c:v libx264 -preset veryfast -c:a aac'
  const clip = await makeClip(
    folder,
    `${source}=8 ${colour}=6 ${tone}=14 -filter_complex [0][1]concat=n=2:v=1[v] -map [v] -map 2:a
     ${codec} -timecode 10:00:00:00 clip.mp4`,
  )
  const torn = await readFile(clip)
  torn.fill(0, torn.indexOf('mdat') + 4, torn.indexOf('moov') - 4)
  const loops = ['-v', 'error', '-stream_loop', '29', '-i', join(root, 'assets/sample.mp4')]
  await run('ffmpeg', [...loops, '-c', 'copy', join(folder, 'long.mp4')])
  const tape = await makeClip(folder, `${tone}=20 -c:a pcm_s16le tape.wav`)
  const still = await makeClip(folder, `${colour}=1 -frames:v 1 still.png`)
  const notes = 'Scene 12, take 3: boom in shot. Take 4 is the one.\n'
  await writeFile(join(folder, 'notes.txt'), notes)
  await writeFile(join(folder, 'torn.mp4'), torn)
  const add = async (file: string, name: string): Promise<ContentItem> => {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(await readFile(file))]), name)
    const response = await fetch(`${product.url}/v1/content/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${product.token}` },
      body: form,
    })
    if (!response.ok) throw new Error(`${basename(file)}: ${await response.text()}`)
    console.log(`Uploaded ${name}.`)
    return ((await response.json()) as { content: ContentItem }).content
  }
  await add(tape, 'Room tone.wav')
  await add(still, 'Colour bars.png')
  await add(join(folder, 'notes.txt'), 'Script notes.txt')
  return {
    sample,
    clip: await add(clip, 'Interview take 3.mp4'),
    torn: await add(join(folder, 'torn.mp4'), 'Damaged card.mp4'),
    long: await add(join(folder, 'long.mp4'), 'Documentary, reel 1.mp4'),
  }
}

/** The jobs that end are waited for; the last three keep the worker busy for a while. */
async function runJobs({ client }: Product, library: Library): Promise<void> {
  const start = async (item: ContentItem, workflow: string): Promise<string> =>
    (await client.createJob({ body: { content_id: item.id, workflow } })).job.id
  const ending = await Promise.all([
    start(library.sample, everything),
    start(library.clip, 'ffprobe,thumbnail,shots,cutpoints'),
    start(library.torn, 'thumbnail,shots'),
  ])
  const canceled = await start(library.long, 'transcription')
  await client.cancelJob({ params: { id: canceled } })
  for (const id of [...ending, canceled]) {
    const { job } = await until(
      () => client.getJob({ params: { id } }),
      ({ job }) => job.finished_at !== null,
      jobLimitMs,
    )
    console.log(`${job.content_name}: ${job.status}.`)
  }
  for (const workflow of ['transcription', 'transcription,shots', everything]) {
    await start(library.long, workflow)
  }
  console.log('Three jobs of the long clip are running or queued.')
}
