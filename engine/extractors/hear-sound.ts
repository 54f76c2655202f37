/**
 * Puts listeners on the sound of a pass: voice activity, microphones and the waveform. Where they
 * find that the wrong sound was heard, the sound alone is decoded again: one channel of a stereo
 * track whose sides cancel each other out, or another track where the first holds no voice and none
 * was chosen.
 */
import type { FrameRange, PassRequest } from '../pass/plan.ts'
import { runPass } from '../pass/run.ts'
import type { PassResult } from '../pass/run.ts'
import { hasKnownCodec, heardTrack } from '../media/streams.ts'
import type { Stream } from '../media/streams.ts'
import type { MediaDetails } from '../probe.ts'
import { finishVoice } from '../speech/voice/hear-voice.ts'
import { createVad } from '../speech/voice/vad.ts'
import type { Vad } from '../speech/voice/vad.ts'
import { openTracks } from '../voices/hear-tracks.ts'
import { createLevelMeter, meanPowers } from '../voices/track-levels.ts'
import type { TrackLevels } from '../voices/track-levels.ts'
import type { Faults, Need, PassFiles, Signals } from './extractor.ts'
import { guarded } from './guarded.ts'
import { createPeaks, writePeaks } from './waveform-peaks.ts'

export type HeardSound = Pick<
  Signals,
  'sound' | 'speech' | 'voice' | 'microphones' | 'spokenTrack'
> &
  Pick<PassFiles, 'waveform'>

export interface SoundListeners {
  request: Pick<PassRequest, 'keepAudio' | 'tracks' | 'onAudio' | 'proxy'>
  finish(pass: PassResult): Promise<HeardSound>
  stop(): Promise<void>
}

const soundNeeds: readonly Need[] = ['sound', 'voice']

interface SoundInput {
  file: string
  details: MediaDetails
  workDir: string
  needs: ReadonlySet<Need>
  faults: Faults
  range?: FrameRange
  maxSeconds?: number
  audioTrack?: number
  signal?: AbortSignal
}

export async function openSound(input: SoundInput): Promise<SoundListeners> {
  const { details, workDir, needs, faults, signal } = input
  const heard = details.audio !== null
  const wantsVoice = heard && needs.has('voice')
  const voice = guarded('voice', faults, wantsVoice, () => createVad({ signal }))
  const tracks = voice.wanted ? await openTracks(details, input) : null
  const peaks = heard && needs.has('files') ? createPeaks() : null
  const meter = tracks ? createLevelMeter(1) : null
  const request: SoundListeners['request'] = {
    keepAudio: heard && (needs.has('sound') || needs.has('voice')),
    proxy: heard && needs.has('files'),
  }
  if (tracks) request.tracks = tracks.listeners
  if (voice.wanted || peaks) {
    request.onAudio = async (samples) => {
      peaks?.push(samples)
      meter?.push(samples)
      await voice.use((model) => model.push(samples))
    }
  }
  return {
    request,
    async finish(pass) {
      const track = heardTrack(details.streams, input.audioTrack)
      const isUnheard = !track || (pass.outcome.end === 'failed' && !pass.audio?.samples)
      if (request.keepAudio && isUnheard) {
        // Fails the extractor: the transcript of sound that nobody could decode would be empty, yet
        // paid for.
        const unheard = new Error('No sound of this media can be decoded.')
        for (const need of soundNeeds) faults[need] ??= unheard
        if (!details.video) faults.files ??= unheard
      }
      const probabilities = await voice.use((model) => endVoice(model, pass, signal))
      let sound: Heard = { audio: pass.audio, voice: probabilities, peaks: peaks?.finish() ?? null }
      const powers = track && tracks?.powersOf(track.index)
      const louder = powers && meter ? channelToKeep(powers, meter.finish()) : null
      if (louder !== null) sound = await hearAgain(input, { channel: louder })
      const apart =
        tracks && sound.voice && sound.audio ? await tracks.finish(sound.voice, signal) : null
      const isSilent = sound.voice !== null && !apart && isVoiceless(sound.voice)
      const spokenTrack =
        isSilent && input.audioTrack === undefined ? await findSpokenTrack(input, track) : null
      if (spokenTrack !== null) sound = await hearAgain(input, { audioTrack: spokenTrack })
      const waveform = sound.peaks && (await writePeaks(workDir, sound.peaks))
      return {
        sound: sound.audio,
        speech: apart?.mix ?? sound.audio,
        voice: apart?.mix?.voice ?? sound.voice,
        microphones: apart?.microphones ?? null,
        spokenTrack,
        waveform,
      }
    },
    async stop() {
      voice.stop()
      await tracks?.close()
    },
  }
}

interface Heard {
  audio: PassResult['audio']
  voice: Float32Array | null
  peaks: Int8Array | null
}

/** Finishes voice detection; a very quiet sound is analysed again if it was kept. */
function endVoice(vad: Vad, pass: PassResult, signal?: AbortSignal): Promise<Float32Array> {
  const file = pass.audio?.file
  return file === undefined ? vad.finish() : finishVoice(vad, { file, signal })
}

/** Channels cancel if the power of their mix is below this share of the louder channel. */
const cancelledBelow = 0.01
/** Weaker channels hold no more than the noise of 16 bits, so nothing can cancel. */
const silentPower = 1e-9

/**
 * The louder channel of a stereo track whose channels cancel in the mix (one has inverted
 * polarity); otherwise null.
 */
function channelToKeep(powers: readonly number[], mix: TrackLevels): number | null {
  const [left = 0, right = 0] = powers
  const loudest = Math.max(left, right)
  if (powers.length !== 2 || loudest < silentPower) return null
  const [mixed = 0] = meanPowers(mix)
  if (mixed >= cancelledBelow * loudest) return null
  return right > left ? 1 : 0
}

/** A quarter of a second: the shortest voice that can be a word. */
const minVoiced = 8

function isVoiceless(voice: Float32Array): boolean {
  return voicedCount(voice) < minVoiced
}

function voicedCount(voice: Float32Array): number {
  return voice.reduce((count, probability) => count + Number(probability >= 0.5), 0)
}

/** Beyond this many tracks, tracks are not separate recordings but versions of one sound. */
const maxTriedTracks = 7

/**
 * Finds the track with the most voice if the chosen one has none, as when a recorder leaves its
 * first input unused; null if nobody speaks in any track.
 */
async function findSpokenTrack(
  input: SoundInput,
  heard: Stream | undefined,
): Promise<number | null> {
  const all = input.details.streams.filter((stream) => stream.codec_type === 'audio')
  const others = all.filter((stream) => stream !== heard && hasKnownCodec(stream))
  let best = { track: -1, voiced: minVoiced - 1 }
  for (const stream of others.slice(0, maxTriedTracks)) {
    const track = all.indexOf(stream)
    const { voice } = await hearAgain(input, { audioTrack: track, isTried: true })
    const voiced = voice ? voicedCount(voice) : 0
    if (voiced > best.voiced) best = { track, voiced }
  }
  return best.track < 0 ? null : best.track
}

/** Decodes another track or one channel of the sound; `isTried`: keeps no samples. */
async function hearAgain(
  input: SoundInput,
  choice: { audioTrack?: number; channel?: number; isTried?: boolean },
): Promise<Heard> {
  const { file, details, workDir, range, maxSeconds, needs, faults, signal } = input
  const { audioTrack = input.audioTrack, channel, isTried = false } = choice
  const voice = guarded('voice', faults, true, () => createVad({ signal }))
  const peaks = needs.has('files') && !isTried ? createPeaks() : null
  try {
    const pass = await runPass({
      ...{ file, details, workDir, range, maxSeconds, audioTrack, channel, signal },
      only: 'sound',
      keepAudio: !isTried,
      onAudio: async (samples) => {
        peaks?.push(samples)
        await voice.use((model) => model.push(samples))
      },
    })
    const probabilities = await voice.use((model) => endVoice(model, pass, signal))
    return { audio: pass.audio, voice: probabilities, peaks: peaks?.finish() ?? null }
  } finally {
    voice.stop()
  }
}
