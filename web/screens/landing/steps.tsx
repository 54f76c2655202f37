import type { ReactNode } from 'react'
import { extractors } from '../../../domain/money/catalogue.ts'
import { Section } from './section.tsx'

export function Steps() {
  return (
    <Section name="How it works" title="Three steps from camera card to timeline">
      <ol className="grid gap-px overflow-hidden rounded-lg border border-line bg-line md:grid-cols-3">
        <Step
          number={1}
          title="Bring the footage"
          text="Upload a file or add the address of one. It is probed at once, free: duration, frame rate, timecode, codec."
        >
          <Row left="A001_C004_interview.mov" right="4.2 GB" />
          <Row left="25 fps · ProRes 422 · stereo" right="05:00" faint />
          <Row left="TC 01:00:00:00" right="NDF" faint />
        </Step>
        <Step
          number={2}
          title="Choose what to look for"
          text="Tick extractors, see the price to a tenth of a cent, run. Only the seconds that were analysed are charged."
        >
          {extractors.slice(2, 5).map((extractor) => (
            <Row
              key={extractor.id}
              left={extractor.name}
              right={`$${(extractor.microsPerSecond / 1_000_000).toFixed(3)}/s`}
            />
          ))}
        </Step>
        <Step
          number={3}
          title="Cut"
          text="Review on the timeline, accept or reject, and export. Frame rate, drop frame and start timecode come from the source."
        >
          <Row left="A001_C004_interview.edl" right="EDL" />
          <Row left="A001_C004_interview.fcpxml" right="FCPXML" />
          <Row left="XML · JSON · CSV · SRT · VTT · OTIO" right="" faint />
        </Step>
      </ol>
      <ReviewPicture />
    </Section>
  )
}

/** The review screen as it is, taken from the running product by scripts/pictures/pictures.ts. */
function ReviewPicture() {
  // On a phone the left part, large enough to read, says more than the whole.
  const shape =
    'h-auto w-full rounded-lg border border-line max-sm:aspect-4/5 max-sm:object-cover max-sm:object-left'
  const alt =
    'The review screen: player, timeline with shots, talking and cut points, and the transcript of the sample clip'
  const picture = {
    width: 1440,
    height: 860,
    loading: 'lazy',
    decoding: 'async',
  } as const
  return (
    <figure className="mt-8">
      <img
        {...picture}
        alt={alt}
        src="/review-dark.webp"
        className={`hidden dark:block ${shape}`}
      />
      <img {...picture} alt={alt} src="/review-light.webp" className={`dark:hidden ${shape}`} />
      <figcaption className="mt-2 text-xs text-ink-3">
        The review screen with the sample clip that every new account can try.
      </figcaption>
    </figure>
  )
}

function Step({
  number,
  title,
  text,
  children,
}: {
  number: number
  title: string
  text: string
  children: ReactNode
}) {
  return (
    <li className="flex min-w-0 flex-col bg-panel p-5 sm:p-6">
      <p className="timecode text-ink-3">{String(number).padStart(2, '0')}</p>
      <h3 className="mt-2 text-md font-semibold">{title}</h3>
      <p className="mt-1 mb-5 text-base text-ink-2">{text}</p>
      <div className="mt-auto rounded-md border border-line bg-page">{children}</div>
    </li>
  )
}

function Row({ left, right, faint = false }: { left: string; right: string; faint?: boolean }) {
  return (
    <p
      className={`timecode flex h-8 items-center justify-between gap-3 border-b border-line px-3 text-xs last:border-0 ${faint ? 'text-ink-3' : 'text-ink-2'}`}
    >
      <span className="truncate">{left}</span>
      <span className="shrink-0">{right}</span>
    </p>
  )
}
