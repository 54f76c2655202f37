/** Long recordings: no word may be lost for where it stands, and what hearing them costs. */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { decode, join, percent, print, readReferences, write } from './speech-sound.ts'
import type { Sound, SpeechBench, Transcribe } from './speech-sound.ts'
import { inTurns, median, scatter } from '../../scripts/bench/turns.ts'
import { countErrors, spokenWords } from './words.ts'

interface Clip {
  ref: string
  samples: Int16Array
}

/**
 * The same speech in one long recording: its clips joined in several orders, so that each stands in
 * other windows beside other speech. No word may be lost that a clip alone has.
 */
export async function benchLong({ folder, work, language }: SpeechBench): Promise<void> {
  const clips: Clip[] = []
  let alone = 0
  for (const { file, ref } of await readReferences(folder)) {
    const sound = await decode(['-i', path.join(folder, 'speech', file)], work)
    clips.push({ ref, samples: sound.samples })
    const { findings } = await write(sound, language)
    alone += countErrors(spokenWords(ref), spokenWords(findings.text))
  }
  const total = clips.reduce((sum, { ref }) => sum + spokenWords(ref).length, 0)
  let joined = 0
  const turns = [0, 3, 7]
  for (const turn of turns) {
    const order = [...clips.slice(turn), ...clips.slice(0, turn)]
    const twice = [...order, ...order.toReversed()]
    const pause = new Int16Array(8000 + turn * 2000)
    const sound = await join(
      twice.flatMap((clip) => [clip.samples, pause]),
      work,
    )
    const { findings } = await write(sound, language)
    const said = spokenWords(twice.map((clip) => clip.ref).join(' '))
    const errors = countErrors(said, spokenWords(findings.text))
    joined += errors
    print(`  joined, clip ${turn + 1} first`, `${errors}/${said.length} wrong`, {
      seconds: Math.round(sound.samples.length / 16_000),
    })
  }
  print('word error rate, clips alone', percent(alone / total))
  print(
    'word error rate, joined',
    `${percent(joined / (total * 2 * turns.length))} (limit: alone + 0.3 points)`,
  )
}

/**
 * The longest clip with more and more of the next one before it, so that the windows' edges fall
 * elsewhere each time. Only the words of the clip itself are counted.
 */
export async function benchEdges({ folder, work, language }: SpeechBench): Promise<void> {
  const clips: Clip[] = []
  for (const { file, ref } of await readReferences(folder)) {
    const { samples } = await decode(['-i', path.join(folder, 'speech', file)], work)
    clips.push({ ref, samples })
  }
  clips.sort((a, b) => b.samples.length - a.samples.length)
  const [speech, lead] = clips
  const said = spokenWords(speech!.ref)
  const errors: number[] = []
  const positions = 20
  for (let position = 0; position < positions; position++) {
    const before = lead!.samples.slice(0, Math.round((lead!.samples.length * position) / positions))
    const sound = await join([before, speech!.samples], work)
    const { findings } = await write(sound, language)
    // A word that the cut went through belongs to neither.
    const from = before.length / 16_000 - 0.05
    const words = findings.words.filter(({ start }) => start >= from)
    const heard = spokenWords(words.map(({ text }) => text).join(' '))
    errors.push(countErrors(said, heard))
  }
  const sorted = errors.toSorted((a, b) => a - b)
  print(
    'words wrong, windows moved',
    `${sorted[0]} to ${sorted.at(-1)} of ${said.length} in ${positions} positions`,
    { each: errors.join(' ') },
  )
}

/** Odd, so that there is a middle; a short clip is over sooner. */
const rounds = { continuous: 3, short: 5 }

/**
 * What a recogniser takes for continuous speech and for a short clip, beside an earlier checkout of
 * the engine. Both take turns, after one round that is not counted: the first one to start may have to
 * prepare its models.
 */
export async function benchCost(
  { folder, work, language }: SpeechBench,
  against: string | undefined,
): Promise<void> {
  const references = await readReferences(folder)
  const clips: Clip[] = []
  for (const { file, ref } of references) {
    const { samples } = await decode(['-i', path.join(folder, 'speech', file)], work)
    clips.push({ ref, samples })
  }
  const shortest = clips.toSorted((a, b) => a.samples.length - b.samples.length)[0]!
  const engines: Record<string, Transcribe | undefined> = {
    ...(against ? { before: await transcribeOf(against) } : {}),
    now: undefined,
  }
  for (const by of Object.values(engines)) {
    await write(await join([shortest.samples], work), language, by)
  }
  for (const [label, chosen] of Object.entries({ continuous: clips, short: [shortest] })) {
    const sound: Sound = await join(
      chosen.map(({ samples }) => samples),
      work,
    )
    const said = spokenWords(chosen.map(({ ref }) => ref).join(' '))
    const seconds = sound.samples.length / 16_000
    const wrong = new Map<string, number>()
    const measure = (name: string, by: Transcribe | undefined) => async () => {
      const { findings, cpuSeconds } = await write(sound, language, by)
      wrong.set(name, countErrors(said, spokenWords(findings.text)))
      return cpuSeconds
    }
    const used = await inTurns(
      rounds[label as keyof typeof rounds],
      Object.fromEntries(
        Object.entries(engines).map(([name, by]) => [name, measure(name, by)] as const),
      ),
    )
    for (const [name, times] of Object.entries(used)) {
      print(`  ${name}, ${label}`, `${wrong.get(name)}/${said.length} wrong`, {
        seconds,
        'CPU s': scatter(times),
        'real time per core': `${(seconds / median(times)).toFixed(2)} ×`,
      })
    }
    if (!against) continue
    const ratios = used['now']!.map((now, round) => now / used['before']![round]!)
    print(`now ÷ before, ${label}`, scatter(ratios))
  }
}

async function transcribeOf(checkout: string): Promise<Transcribe> {
  const file = path.resolve(checkout, 'engine/extractors/transcription.ts')
  const module = (await import(pathToFileURL(file).href)) as { transcribe: Transcribe }
  return module.transcribe
}
