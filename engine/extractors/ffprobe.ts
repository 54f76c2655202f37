/** Complete metadata, normalised, and what an editor should know before the media is conformed. */
import { toNumber } from '../../domain/time/rational.ts'
import type { FindingsOf, Media } from '../../domain/findings/findings.ts'
import { parseRate } from '../time/clock.ts'
import { anchorTimes } from '../time/anchor-times.ts'
import { isStandardRate } from '../media/frame-rate.ts'
import type { DocumentFindings } from '../documents/text.ts'
import type { MediaDetails } from '../probe.ts'
import { colorOf } from '../media/streams.ts'
import type { Extractor } from './extractor.ts'
import { NoParams } from './extractor.ts'

type Note = FindingsOf<'ffprobe'>['conform'][number]

export const ffprobeExtractor: Extractor<'ffprobe', NoParams> = {
  id: 'ffprobe',
  version: '6',
  params: NoParams,
  requires: [],
  takesAnything: true,
  needs: [],
  async run({ details, report, media, file }, _params, { signal, maxSeconds }) {
    if (media.kind === 'document') {
      const { readDocument } = await import('../documents/text.ts')
      let isCut = false
      const onCut = (): void => void (isCut = true)
      const document = await readDocument(file, { signal, maxPages: maxSeconds, onCut })
      return documentFindings(document, isCut)
    }
    const source = details ?? report
    const { filename: _hidden, ...format } = source?.format ?? {}
    const videoStream = report?.streams.find((stream) => stream.codec_type === 'video')
    const findings: FindingsOf<'ffprobe'> = {
      format,
      streams: (source?.streams ?? []).map((stream) => ({ ...stream })),
      color: details?.color ?? colorOf(videoStream),
      conform: details ? conformNotes(media, details) : [],
      ...(details?.clock.variable ? { frame_times: anchorTimes(details.clock) } : {}),
    }
    return await Promise.resolve(findings)
  },
}

function documentFindings(document: DocumentFindings, isCut: boolean): FindingsOf<'ffprobe'> {
  const unread =
    document.format === 'pdf'
      ? 'No text was found in it: the pages may be pictures, locked or damaged.'
      : 'Its pages and properties are known; its text is not read from this format.'
  const read = document.text.length
  const notes = [
    ...(read > 0 ? [] : [note('note', 'text_not_read', unread)]),
    ...(isCut && read > 0
      ? [note('warning', 'text_cut', `The text was cut at page ${read}.`)]
      : []),
  ]
  return {
    format: { format_name: document.format },
    streams: [],
    color: colorOf(undefined),
    conform: notes,
    document,
  }
}

/** Notes on what stands in the way of editing, worst first; a single `ok` if nothing does. */
export function conformNotes(media: Media, details: MediaDetails): Note[] {
  const notes = [
    ...timeNotes(media, details),
    ...timecodeNotes(media, details),
    ...videoNotes(media, details),
    ...soundNotes(media, details),
  ]
  if (notes.length === 0) return [note('ok', 'conforms', 'Nothing stands in the way.')]
  return notes.toSorted(
    (a, b) => Number(b.severity === 'warning') - Number(a.severity === 'warning'),
  )
}

function timeNotes(media: Media, details: MediaDetails): Note[] {
  const { restarts = [], jumps = [], incomplete } = details
  const notes: Note[] = []
  if (jumps.length > 0) {
    const seconds = jumps.reduce((sum, jump) => sum + jump.seconds, 0).toFixed(0)
    const text = `The clock of the file jumps ahead by ${seconds} s in which there is no picture.`
    notes.push(note('warning', 'clock_jumps', text))
  }
  if (incomplete) {
    const text = 'The end of the file is missing: its header promises more. Copy it again.'
    notes.push(note('warning', 'incomplete', text))
  }
  if (restarts.length > 0) {
    const times = restarts.length === 1 ? 'once' : `${restarts.length} times`
    const text = `The clock of the file starts again ${times}. Times count through; other software may show less.`
    notes.push(note('warning', 'clock_restarts', text))
  }
  const rate = parseRate(media.frame_rate)
  if (media.variable_frame_rate) {
    notes.push(
      note(
        'warning',
        'variable_frame_rate',
        'The frame rate varies. Make a copy with a constant rate before editing, or sound drifts.',
      ),
    )
  }
  if (media.kind === 'video' && rate && !isStandardRate(rate)) {
    const shown = toNumber(rate).toFixed(3)
    notes.push(note('warning', 'unusual_rate', `${shown} frames per second is no standard rate.`))
  }
  return notes
}

function timecodeNotes(media: Media, details: MediaDetails): Note[] {
  const notes: Note[] = []
  const rate = parseRate(media.frame_rate)
  if (media.kind !== 'video' || !rate) return notes
  if (media.start_timecode === null) {
    notes.push(note('note', 'no_timecode', 'There is no timecode: it counts from 00:00:00:00.'))
    return notes
  }
  const perSecond = toNumber(rate)
  const dropRate = Math.abs(perSecond - 29.97) < 0.01 || Math.abs(perSecond - 59.94) < 0.01
  if (media.drop_frame && !dropRate) {
    notes.push(
      note('warning', 'odd_drop_flag', 'The timecode is marked drop-frame at a rate without it.'),
    )
  }
  if (!media.drop_frame && dropRate) {
    notes.push(note('note', 'non_drop', 'The timecode is non-drop at an NTSC rate.'))
  }
  const track = details.streams.find((stream) => stream.codec_tag_string === 'tmcd')
  const own = parseRate(track?.avg_frame_rate)
  if (own && Math.abs(toNumber(own) - perSecond) > 0.01) {
    const shown = toNumber(own).toFixed(3)
    notes.push(
      note('warning', 'timecode_rate', `The timecode track counts ${shown} frames per second.`),
    )
  }
  const frames = Number(media.start_timecode.slice(9))
  if (frames >= Math.round(perSecond)) {
    notes.push(note('warning', 'timecode_frames', 'The timecode has more frames than a second.'))
  }
  return notes
}

function videoNotes(media: Media, details: MediaDetails): Note[] {
  const { video, color } = details
  const notes: Note[] = []
  if (!video) return notes
  if (video.hiddenFrames > 0) {
    const text = `An edit list hides ${video.hiddenFrames} frames; some software shows them.`
    notes.push(note('note', 'edit_list', text))
  }
  const tracks = details.streams.filter(
    (stream) => stream.codec_type === 'video' && stream.disposition?.attached_pic !== 1,
  )
  if (tracks.length > 1) {
    const text = `There are ${tracks.length} video tracks: the first is analysed.`
    notes.push(note('note', 'several_video_tracks', text))
  }
  if (media.rotation !== 0) {
    notes.push(note('note', 'rotation', `The picture is turned by ${media.rotation} degrees.`))
  }
  if (media.pixel_aspect !== null && media.pixel_aspect !== '1/1') {
    notes.push(note('note', 'pixel_aspect', `Pixels are not square: ${media.pixel_aspect}.`))
  }
  if (video.interlaced) notes.push(note('note', 'interlaced', 'The picture is interlaced.'))
  if (color.hdr) notes.push(note('note', 'hdr', 'The picture is HDR: mind colour management.'))
  if (!details.exact) {
    notes.push(note('note', 'estimated', 'The number of frames was estimated from the header.'))
  }
  return notes
}

function soundNotes(media: Media, details: MediaDetails): Note[] {
  const notes: Note[] = []
  const { audio, video } = details
  if (media.kind === 'video' && media.audio.length === 0) {
    notes.push(note('note', 'no_audio', 'No audio.'))
  }
  if (media.audio.length > 1) {
    notes.push(
      note('note', 'several_audio_tracks', `There are ${media.audio.length} audio tracks.`),
    )
  }
  if (media.audio.some((track) => track.sample_rate !== 48_000 && track.sample_rate > 0)) {
    notes.push(note('note', 'sample_rate', 'Sound is not at 48 kHz and will be converted.'))
  }
  const late = audio && video ? audio.startSeconds - video.startSeconds : 0
  if (Math.abs(late) > 0.02) {
    const text = `Sound starts ${Math.round(Math.abs(late) * 1000)} ms ${late > 0 ? 'after' : 'before'} the picture.`
    notes.push(note('note', 'audio_offset', text))
  }
  const frameSeconds = toNumber(details.clock.timeOf(details.clock.frames))
  if (video && media.duration > frameSeconds + 0.5) {
    const seconds = (media.duration - frameSeconds).toFixed(1)
    notes.push(note('warning', 'audio_longer', `Sound goes on for ${seconds} s after the picture.`))
  }
  return notes
}

function note(severity: Note['severity'], code: string, message: string): Note {
  return { severity, code, message }
}
