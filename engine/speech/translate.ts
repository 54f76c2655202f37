/**
 * Speech in English, by the recogniser's own translate task: each window that has words is heard
 * once more. Words stand where the recogniser's attention lies while it writes them, which is where
 * their meaning is spoken, to about half a second.
 */
import type { FindingsOf } from '../../domain/findings/findings.ts'
import type { FrameClock } from '../time/clock.ts'
import type { Recogniser } from './hear-windows.ts'
import { dropSounds } from './text/sounds.ts'
import { placeWords, soundSpan } from './voice/spans.ts'
import type { Seconds } from './voice/vad.ts'
import { readWindow } from './whisper/windows.ts'

type Translation = NonNullable<FindingsOf<'transcription'>['translation']>

export async function translateWindows(
  recogniser: Recogniser,
  input: {
    audioFile: string
    samples: number
    clock: FrameClock
    windows: Seconds[]
    language: string
    onWindow: (window: Seconds) => void
  },
): Promise<Translation> {
  const written = await recogniser.run(input.windows, async (process, window) => {
    const samples = await readWindow(input.audioFile, window)
    const { language } = input
    const { words } = await process.call('recognise', { samples, language, task: 'translate' })
    input.onWindow(window)
    return { words: dropSounds(words), window }
  })
  const words = placeWords(written, input.samples / 16_000)
  return {
    language: 'en',
    text: words.map((word) => word.text).join(' '),
    words: words.map((word) => ({ ...soundSpan(input.clock, word), text: word.text })),
  }
}
