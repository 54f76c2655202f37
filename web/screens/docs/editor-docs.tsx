import type { ReactNode } from 'react'
import { Link } from 'react-router'

interface Editor {
  id: string
  name: string
  take: string
  clicks: readonly string[]
  arrives: readonly string[]
  missing: readonly string[]
  relink: string
}

const editors: readonly Editor[] = [
  {
    id: 'premiere',
    name: 'Premiere Pro',
    take: 'XML (FCP7 XML, also called xmeml). It brings the sequence and its markers in one file.',
    clicks: [
      'Choose File › Import and pick the .xml file.',
      'A bin with the sequence and its clips appears. Open the sequence.',
    ],
    arrives: [
      'One sequence at the cut’s rate, size and start timecode, with every range on V1 and its sound on A1 and A2.',
      'Names of ranges as names of the clips, and comments of a shared link as markers if you asked for them.',
      'Reel and source timecode of each clip.',
    ],
    missing: [
      'Dissolves at the seams: a cut has hard cuts only.',
      'Notes of ranges: they are in FCPXML, EDL, OTIO, CSV and the paper edit.',
      'Colours of labels and levels of sound.',
    ],
    relink:
      'Clips show as offline until Premiere knows the folder. Select them, choose Link Media, tick File Name and Media Start, and locate one file: the others of that folder follow. Set the media folder of the project before you export and most of them are found at once.',
  },
  {
    id: 'resolve',
    name: 'DaVinci Resolve',
    take: 'FCPXML, or EDL where the project’s media is in the pool already. Take the marker EDL beside it for markers.',
    clicks: [
      'Choose File › Import › Timeline and pick the .fcpxml or .edl file.',
      'In the dialog keep “Automatically import source clips into media pool” on if the media is where the export says.',
      'For markers: right-click the timeline in the media pool and choose Timelines › Import › Timeline Markers from EDL.',
    ],
    arrives: [
      'One timeline at the cut’s rate and start timecode; an EDL brings picture and sound as edits by reel.',
      'Markers from the marker EDL, on the timeline’s own timecode.',
    ],
    missing: [
      'From an EDL: long file names. They stand in comments (FROM CLIP NAME), reels have eight letters unless you export full names.',
    ],
    relink:
      'Right-click offline clips and choose Relink Selected Clips, then the folder. Resolve matches by file name, timecode and reel.',
  },
  {
    id: 'final-cut',
    name: 'Final Cut Pro',
    take: 'FCPXML.',
    clicks: [
      'Choose File › Import › XML and pick the .fcpxml file.',
      'Open the project in the event that it made.',
    ],
    arrives: [
      'One project in the primary storyline, with names, notes and markers.',
      'Each source as a clip of the event with its own timecode.',
    ],
    missing: [
      'Keywords and roles beyond dialogue.',
      'A source without a known folder comes as missing media.',
    ],
    relink:
      'Select the clips in the browser and choose File › Relink Files › Original Media. Final Cut compares length and name, and refuses a file that is shorter than the range.',
  },
  {
    id: 'avid',
    name: 'Avid Media Composer',
    take: 'ALE for the clips, EDL for the sequence, and the Avid markers text for comments.',
    clicks: [
      'Open a bin, choose File › Input › Import Media (or Import) and pick the .ale: the clips appear as master clips.',
      'Choose Tools › List Tool, or File › Input › Import for the .edl, and assemble it from those clips.',
      'For markers: open the sequence and Tools › Markers, right-click in the window and choose Import Markers.',
    ],
    arrives: [
      'Clips with Name, Tape, Start, End, Tracks, FPS, Scene and Take where the metadata has them.',
      'The sequence by tape and timecode, with clip names as comments.',
      'Markers with user, timecode, track, colour and text.',
    ],
    missing: [
      'Media itself: an ALE describes, it does not link.',
      'Notes of ranges as such: they are comments of the EDL, and markers where no comments of a link are exported.',
    ],
    relink:
      'Link or transcode the camera files first, then select the imported clips and choose Clip › Relink, with Tape or Source File Name and Start timecode as criteria.',
  },
]

/** /docs/editors: from an export to a timeline in editing software. */
export function EditorDocs() {
  return (
    <div className="measure grid gap-x-12 gap-y-8 py-12 lg:grid-cols-[200px_1fr]">
      <nav aria-label="Topics" className="hidden self-start lg:sticky lg:top-20 lg:block">
        <ul className="border-l border-line">
          {editors.map((editor) => (
            <li key={editor.id}>
              <a href={`#${editor.id}`} className="block py-1 pl-3 text-ink-2 hover:text-ink">
                {editor.name}
              </a>
            </li>
          ))}
          <li>
            <a href="#checked" className="block py-1 pl-3 text-ink-2 hover:text-ink">
              What was checked
            </a>
          </li>
        </ul>
      </nav>
      <article className="max-w-200 min-w-0">
        <h1 className="text-2xl font-semibold tracking-tight">Into your editing software</h1>
        <p className="mt-3 text-md text-ink-2">
          Which format to take, how to import it, what arrives and what does not.
        </p>
        <p className="mt-4 rounded-md border border-line bg-warn-wash px-4 py-3 text-md">
          None of these files was ever opened in the applications themselves. They are checked
          against the formats’ definitions and by parsers that others wrote; the clicks below were
          not tried either, and may differ in your version.{' '}
          <a href="#checked" className="text-brand-ink underline underline-offset-2">
            What was checked
          </a>
        </p>
        <Pictures />
        {editors.map((editor) => (
          <EditorTopic key={editor.id} editor={editor} />
        ))}
        <Checked />
      </article>
    </div>
  )
}

/** Our side of the hand-over. */
function Pictures() {
  return (
    <>
      <Picture
        name="cut"
        alt="The cut screen: text on the left, viewer and sources on the right, the strip below, and Export at the upper right"
      >
        The cut: its text is the edit. Press E, or Export at the upper right.
      </Picture>
      <Picture
        name="cut-export"
        alt="The export dialog of a cut: FCPXML, XML, EDL and OTIO as timelines; ALE and markers; paper edit, subtitles, CSV and JSON."
      >
        Export (E) on any cut. Doubtful seams and conformed rates are named before you download.
      </Picture>
    </>
  )
}

function Picture({ name, alt, children }: { name: string; alt: string; children: ReactNode }) {
  const shared = {
    width: 1440,
    height: 860,
    loading: 'lazy',
    decoding: 'async',
  } as const
  const shape = 'h-auto w-full rounded-lg border border-line'
  return (
    <figure className="mt-6">
      <img
        {...shared}
        alt={alt}
        src={`/${name}-dark.webp`}
        className={`hidden dark:block ${shape}`}
      />
      <img {...shared} alt={alt} src={`/${name}-light.webp`} className={`dark:hidden ${shape}`} />
      <figcaption className="mt-2 text-sm text-ink-3">{children}</figcaption>
    </figure>
  )
}

function EditorTopic({ editor }: { editor: Editor }) {
  return (
    <section id={editor.id} className="mt-12">
      <h2 className="text-lg font-semibold tracking-tight">{editor.name}</h2>
      <dl className="mt-3 flex flex-col gap-4 text-md text-ink-2">
        <Part name="Take">
          <p>{editor.take}</p>
        </Part>
        <Part name="Import it">
          <ol className="ml-5 list-decimal">
            {editor.clicks.map((click) => (
              <li key={click}>{click}</li>
            ))}
          </ol>
        </Part>
        <Part name="What arrives">
          <Bullets lines={editor.arrives} />
        </Part>
        <Part name="What does not">
          <Bullets lines={editor.missing} />
        </Part>
        <Part name="Relink">
          <p>{editor.relink}</p>
        </Part>
      </dl>
    </section>
  )
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-6 gap-y-1 sm:grid-cols-[8rem_1fr]">
      <dt className="font-medium text-ink">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Bullets({ lines }: { lines: readonly string[] }) {
  return (
    <ul className="ml-5 list-disc">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

function Checked() {
  return (
    <section id="checked" className="mt-12">
      <h2 className="text-lg font-semibold tracking-tight">What was checked</h2>
      <div className="mt-3 flex flex-col gap-4 text-md text-ink-2">
        <p>
          Every export is read back before you get it, and each frame of it is compared with the
          cut. Tests read the files once more with parsers that share no code with what wrote them,
          over all frame rates, drop frame included.
        </p>
        <p>
          Sources of another rate than the cut’s are placed by exact time, to the nearest frame. The
          export names them. Reel and tape come from the file’s metadata, else from its name.
        </p>
        <p>
          Not checked: Premiere Pro, DaVinci Resolve, Final Cut Pro and Media Composer themselves.
          If one of them reads a file differently, send us the file and its name in the log. The
          formats of a clip’s own findings are in the{' '}
          <Link to="/docs/api" className="text-brand-ink underline underline-offset-2">
            API reference
          </Link>
          .
        </p>
      </div>
    </section>
  )
}
