/** The parts that the tests use of packages without types of their own. */

declare module 'smpte-timecode' {
  export default class Timecode {
    constructor(timecode: number | string, rate: number, dropFrame: boolean)
    frameCount: number
    toString(): string
  }
}

declare module 'webvtt-parser' {
  interface Cue {
    startTime: number
    endTime: number
    text: string
  }
  class WebVTTParser {
    parse(
      input: string,
      mode: 'metadata' | 'subtitles/captions/descriptions' | 'chapters',
    ): { cues: Cue[]; errors: { message: string; line: number }[] }
  }
  const webvtt: { WebVTTParser: typeof WebVTTParser }
  export default webvtt
}
