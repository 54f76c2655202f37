/** Long recordings: no word may be lost for where it stands. */
import path from 'node:path'
import { percent, print } from '../print.ts'
import { decode, join, readReferences, write } from './speech-sound.ts'
import type { SpeechBench } from './speech-sound.ts'
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
