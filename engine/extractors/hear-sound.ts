/** Puts listeners on the sound of a pass: voice activity, microphones and the waveform. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { audioRate } from '../pass/plan.ts'
import type { PassRequest } from '../pass/plan.ts'
import type { PassResult } from '../pass/run.ts'
import { heardTrack } from '../media/streams.ts'
import type { MediaDetails } from '../probe.ts'
import { finishVoice } from '../speech/voice/hear-voice.ts'
import { createVad } from '../speech/voice/vad.ts'
import { openTracks } from '../voices/hear-tracks.ts'
import type { Faults, Need, PassFiles, Signals } from './extractor.ts'
import { guarded } from './guarded.ts'

export type HeardSound = Pick<Signals, 'sound' | 'speech' | 'voice' | 'microphones'> &
  Pick<PassFiles, 'waveform'>

export interface SoundListeners {
  request: Pick<PassRequest, 'keepAudio' | 'tracks' | 'onAudio' | 'proxy'>
  finish(pass: PassResult): Promise<HeardSound>
  stop(): Promise<void>
}

const peaksPerSecond = 100
const soundNeeds: readonly Need[] = ['sound', 'voice']

export async function openSound(input: {
  details: MediaDetails
  workDir: string
  needs: ReadonlySet<Need>
  faults: Faults
  audioTrack?: number
  signal?: AbortSignal
}): Promise<SoundListeners> {
  const { details, workDir, needs, faults, signal } = input
  const heard = details.audio !== null
  const voice = guarded('voice', faults, heard && needs.has('voice'), () => createVad({ signal }))
  const tracks = voice.wanted ? await openTracks(details, input) : null
  const peaks = heard && needs.has('files') ? createPeaks() : null
  const request: SoundListeners['request'] = {
    keepAudio: heard && (needs.has('sound') || needs.has('voice')),
    proxy: heard && needs.has('files'),
  }
  if (tracks) request.tracks = tracks.listeners
  if (voice.wanted || peaks) {
    request.onAudio = async (samples) => {
      peaks?.push(samples)
      await voice.use((one) => one.push(samples))
    }
  }
  return {
    request,
    async finish(pass) {
      const hasTrack = heardTrack(details.streams, input.audioTrack) !== undefined
      const isUnheard = !hasTrack || (pass.outcome.end === 'failed' && !pass.audio?.samples)
      if (request.keepAudio && isUnheard) {
        // A transcript of what nobody heard would be empty, and paid for.
        const unheard = new Error('No sound of this media can be decoded.')
        for (const need of soundNeeds) faults[need] ??= unheard
        if (!details.video) faults.files ??= unheard
      }
      const file = pass.audio?.file
      const probabilities = await voice.use((one) =>
        file === undefined ? one.finish() : finishVoice(one, { file, signal }),
      )
      const apart =
        tracks && probabilities && pass.audio ? await tracks.finish(probabilities, signal) : null
      const bytes = peaks?.finish()
      if (bytes) await writeFile(path.join(workDir, 'waveform.bin'), bytes)
      return {
        sound: pass.audio,
        speech: apart?.mix ?? pass.audio,
        voice: apart?.mix?.voice ?? probabilities,
        microphones: apart?.microphones ?? null,
        waveform: bytes ? { file: 'waveform.bin', peaksPerSecond, count: bytes.length / 2 } : null,
      }
    },
    async stop() {
      voice.stop()
      await tracks?.close()
    },
  }
}

/** The lowest and the highest sample of each hundredth of a second, as signed bytes. */
function createPeaks() {
  const each = audioRate / peaksPerSecond
  let bytes = new Int8Array(2 * peaksPerSecond * 600)
  let count = 0
  let low = 0
  let high = 0
  let filled = 0
  const close = (): void => {
    if (count * 2 + 2 > bytes.length) {
      const grown = new Int8Array(bytes.length * 2)
      grown.set(bytes)
      bytes = grown
    }
    bytes[count * 2] = low >> 8
    bytes[count * 2 + 1] = high >> 8
    count++
    filled = low = high = 0
  }
  return {
    push(samples: Int16Array): void {
      for (const sample of samples) {
        if (sample < low) low = sample
        if (sample > high) high = sample
        if (++filled === each) close()
      }
    },
    finish(): Int8Array {
      if (filled > 0) close()
      return bytes.slice(0, count * 2)
    },
  }
}
