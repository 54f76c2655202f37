/**
 * `node scripts/pictures/prepare-sample.ts`: analyses the sample clip with every extractor and
 * keeps what is found in assets/sample-findings, from where the service answers jobs on the sample
 * at once. Run it after raising an extractor's version; a test compares the two.
 */
import { mkdir, rename, rm, writeFile, mkdtempDisposable } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { extractorIds } from '../../domain/money/catalogue.ts'
import { analyse } from '../../engine/analyse.ts'
import { probe } from '../../engine/probe.ts'
import { extractorVersion } from '../../engine/extractors/registry.ts'
import { mediaSeconds } from '../../server/jobs/price.ts'
import { resultFiles } from '../../server/results/store-result.ts'

const assets = resolve(import.meta.dirname, '../../assets')
const folder = join(assets, 'sample-findings')

await using scratch = await mkdtempDisposable(join(assets, '.preparing-'))
const workDir = scratch.path
const file = join(assets, 'sample.mp4')
const looked = await probe(file)
if (looked.status !== 'media') throw new Error('The sample cannot be read.')
// As a job of the whole clip: no more than the seconds that it is quoted for.
const maxSeconds = mediaSeconds(looked.media, {})
const analysis = await analyse({ file, extractors: extractorIds, maxSeconds, workDir })
const failed = Object.entries(analysis.outcomes).filter(([, { status }]) => status !== 'done')
if (failed.length > 0) throw new Error(`Not everything was found: ${JSON.stringify(failed)}`)
const versions = await Promise.all(
  extractorIds.map(
    async (id) => [id, await extractorVersion(id, { speechModelDir: null })] as const,
  ),
)
await rm(folder, { recursive: true, force: true })
await keepFiles(resultFiles('thumbnail', analysis.findings.thumbnail))
const { media, findings, seconds } = analysis
const prepared = { versions: Object.fromEntries(versions), media, findings, seconds }
await writeFile(join(folder, 'findings.json'), `${JSON.stringify(prepared)}\n`)

async function keepFiles(names: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const name of names) await rename(join(workDir, name), join(folder, name))
}
