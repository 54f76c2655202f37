/**
 * `npm run prove:parts [-- minutes [extractors]]`: a film, 20 minutes by default, in one part and
 * in as many as it can be taken apart into. Prints the processor time and the wall time of both,
 * and fails where a byte of the findings differs.
 */
import { createHash } from 'node:crypto'
import { rm, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { extractorIds } from '../../domain/money/catalogue.ts'
import type { ExtractorId } from '../../domain/money/catalogue.ts'
import { analyse } from '../../engine/analyse.ts'
import { makeClip } from '../../engine/clips.testing.ts'
import { planFilm } from '../../engine/parts/plan-film.ts'
import { probe } from '../../engine/probe.ts'
import { cpuSoFar, runCounted } from '../bench/cpu.ts'
import { ensureSystemPackages, toTest } from '../system-packages.ts'

const sample = resolve(import.meta.dirname, '../../assets/sample.mp4')
/** The same file runs again where the processor time of everything that it starts is counted. */
const counted = '--counted'
const words = process.argv.slice(2)
if (words[0] === counted) await prove(words.slice(1))
else {
  ensureSystemPackages(toTest)
  const again = [import.meta.filename, counted, ...words]
  await runCounted(process.execPath, again, {}, (text) => process.stdout.write(text))
}

async function prove([minutes = '20', wanted = extractorIds.join(',')]: string[]): Promise<void> {
  const extractors = wanted.split(',') as ExtractorId[]
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'prove-parts-'))
  const folder = scratch.path
  const file = await makeClip(
    folder,
    `-stream_loop -1 -i ${sample} -t ${Number(minutes) * 60} -c copy film.mp4`,
  )
  const probed = await probe(file)
  if (probed.status !== 'media') throw new Error(`The film is ${probed.status}.`)
  const { media, details } = probed
  const needs = new Set(['changes'] as const)
  const plan = planFilm({ media, details, needs, hearsWords: false })
  const parts = plan?.segments.length ?? 1
  const hashes: string[] = []
  for (const count of [1, parts]) {
    const startedMs = Date.now()
    const before = await cpuSoFar()
    const workDir = join(folder, `work-${count}`)
    const { findings, outcomes } = await analyse({ file, extractors, workDir, parts: count })
    const cpu = (await cpuSoFar()) - before
    await rm(workDir, { recursive: true })
    const text = JSON.stringify({ findings, outcomes })
    const hash = createHash('sha256').update(text).digest('hex')
    hashes.push(hash)
    const seconds = Math.round((Date.now() - startedMs) / 1000)
    console.log(`${count} parts: ${text.length} bytes, ${hash.slice(0, 16)}`)
    console.log(`  ${cpu.toFixed(1)} s of processor time, ${seconds} s`)
  }
  if (parts < 2) throw new Error('The film is too short to be taken apart.')
  if (hashes[0] !== hashes[1]) throw new Error('The findings differ.')
  console.log(`${minutes} min in 1 and in ${parts} parts: equal findings`)
}
