import type { ReactNode } from 'react'
import { extractors } from '../../../domain/money/catalogue.ts'
import type { ExtractorId } from '../../../domain/money/catalogue.ts'
import { formatUsd } from '../../../domain/money/money.ts'
import { Section } from './section.tsx'

const details: Record<ExtractorId, string> = {
  ffprobe:
    'Everything the file says about itself, and a conform report: variable frame rate, missing timecode, odd pixel aspects, HDR transfer.',
  thumbnail:
    'A poster, a still for each shot, a sprite for scrubbing, a review proxy that seeks fast, and the waveform.',
  transcription:
    'Words with start, end and confidence. Low confidence is dotted, pauses are written out, and it leaves as SRT or VTT too.',
  shots:
    'Classified changes: a cut is one frame, a dissolve is a range from the first blended to the first clean frame.',
  talking:
    'Who visibly talks, matched with the sound. No lip flap in your selects, and voice-over is told apart from sync sound.',
  cutpoints:
    'Frames scored for how well a cut sits there, from speech, silence, motion and shot changes, each with its reasons.',
  text: 'Lower thirds, signs and slates with their place and frames. Scene, take, roll and the frame of the clap go into clip names and ALE columns.',
}

export function Features() {
  return (
    <Section
      id="features"
      name="What it finds"
      title={`${extractors.length} extractors, one decode, frame numbers throughout`}
      lead="Timestamps are frame-accurate because they are frames: counted in presentation order at the exact rational rate, so that 23.976 is 24000/1001 from the first frame to the last."
    >
      <ul className="grid gap-x-10 lg:grid-cols-2">
        {extractors.map((extractor) => (
          <li
            key={extractor.id}
            className="grid grid-cols-[64px_1fr] gap-x-4 border-t border-line py-5 sm:grid-cols-[88px_1fr]"
          >
            <svg viewBox="0 0 88 40" className="mt-1 w-full" aria-hidden="true">
              {glyphs[extractor.id]}
            </svg>
            <div>
              <h3 className="flex items-baseline justify-between gap-4 text-md font-semibold">
                {extractor.name}
                <span className="timecode text-sm font-normal text-ink-3">
                  {formatUsd(extractor.microsPerSecond, 3)}/s
                </span>
              </h3>
              <p className="mt-0.5 text-base text-ink-2">{details[extractor.id]}</p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Each extractor drawn the way its lane looks on the timeline. */
const glyphs: Record<ExtractorId, ReactNode> = {
  ffprobe: (
    <g className="stroke-line-strong" strokeWidth="2">
      <path d="M0 8h40M48 8h24M0 20h24M32 20h44M0 32h52M60 32h12" />
    </g>
  ),
  thumbnail: (
    <g className="fill-hover stroke-line-strong">
      <path d="M.5 8.5h27v22H.5ZM30.5 8.5h27v22h-27ZM60.5 8.5h27v22h-27Z" />
      <path
        d="m1 30 9-10 6 6 5-4 6 8ZM31 30l7-6 6 4 6-10 7 12ZM61 30l10-14 8 10 8-4v8Z"
        className="fill-line-strong stroke-none"
      />
    </g>
  ),
  transcription: (
    <g>
      <path
        d="M0 10h20M26 10h12M44 10h30M0 30h34M40 30h14M60 30h20"
        className="stroke-line-strong"
        strokeWidth="5"
      />
      <path d="M0 20h26" className="stroke-brand" strokeWidth="5" />
      <path d="M32 20h18M56 20h26" className="stroke-line-strong" strokeWidth="5" />
    </g>
  ),
  shots: (
    <g>
      <rect y="11" width="22" height="18" rx="2" className="fill-lane-shot-a" />
      <rect x="24" y="11" width="34" height="18" rx="2" className="fill-lane-shot-b" />
      <rect x="60" y="11" width="28" height="18" rx="2" className="fill-lane-shot-a" />
    </g>
  ),
  talking: (
    <g>
      <rect y="15" width="30" height="10" rx="2" className="fill-lane-talk" />
      <rect x="34.5" y="15.5" width="23" height="9" rx="2" className="fill-none stroke-lane-talk" />
      <rect x="62" y="15" width="12" height="10" rx="2" className="fill-bad" />
    </g>
  ),
  cutpoints: (
    <g>
      <path
        d="m10 12 6 8-6 8-6-8ZM50 12l6 8-6 8-6-8ZM78 12l6 8-6 8-6-8Z"
        className="fill-lane-cut"
      />
      <path d="m30 12 6 8-6 8-6-8Z" className="fill-none stroke-line-strong" />
    </g>
  ),
  text: (
    <g>
      <rect
        x="8.5"
        y="4.5"
        width="71"
        height="32"
        rx="2"
        className="fill-none stroke-line-strong"
      />
      <path d="M14 24h34M14 31h22" className="stroke-brand" strokeWidth="4" />
    </g>
  ),
}
