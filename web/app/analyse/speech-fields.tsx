/** The settings of a transcription, where one is started. */
import { spokenLanguages } from '../../../domain/languages.ts'
import type { JobOptions } from '../../../domain/job-options.ts'
import { maxSpeakers } from '../../../domain/findings/speakers.ts'
import { Select } from '../../ui/field.tsx'

/** As chosen; empty means that the transcription hears it. */
export interface SpeechChoice {
  speakers: string
  language: '' | NonNullable<JobOptions['language']>
  translate: boolean
}

export const noSpeechChoice: SpeechChoice = { speakers: '', language: '', translate: false }

/** Returns the part of a request that the choice stands for. */
export function chosenSpeech({ speakers, language, translate }: SpeechChoice): JobOptions {
  return {
    speakers: speakers === '' ? undefined : Number(speakers),
    language: language === '' ? undefined : language,
    translate: (language !== 'en' && translate) || undefined,
  }
}

const detect = { value: '', label: 'Detect' }
const counts = [
  detect,
  ...Array.from({ length: maxSpeakers }, (_, index) => String(index + 1)).map((count) => ({
    value: count,
    label: count,
  })),
]
/** Some browsers show the codes of these. */
const rareNames: Record<string, string> = { ba: 'Bashkir', bo: 'Tibetan' }
const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
const languages = [
  detect,
  ...spokenLanguages
    .map((code) => ({ value: code as string, label: names.of(code) ?? rareNames[code] ?? code }))
    .sort((a, b) => a.label.localeCompare(b.label)),
]

/** One choice for all clips of a batch: others go into a batch of their own. */
export function SpeechFields({
  choice,
  speakersLabel = 'Speakers',
  onChange,
}: {
  choice: SpeechChoice
  speakersLabel?: string
  onChange: (choice: SpeechChoice) => void
}) {
  return (
    <div className="flex flex-col gap-3">
      <div className="grid gap-3 sm:grid-cols-2">
        <Select
          label={speakersLabel}
          hint="Set it if you know how many people speak: speaker names become more reliable."
          value={choice.speakers}
          onChange={(event) => onChange({ ...choice, speakers: event.target.value })}
          options={counts}
        />
        <Select
          label="Spoken language"
          hint="Set it where clips are short or the language is often misheard."
          value={choice.language}
          onChange={(event) =>
            onChange({ ...choice, language: event.target.value as SpeechChoice['language'] })
          }
          options={languages}
        />
      </div>
      {choice.language !== 'en' && (
        <Select
          label="Translation"
          hint="Subtitles can then be exported in English too. At no extra cost."
          value={choice.translate ? 'en' : ''}
          onChange={(event) => onChange({ ...choice, translate: event.target.value === 'en' })}
          options={[
            { value: '', label: 'None' },
            { value: 'en', label: 'Into English' },
          ]}
        />
      )}
    </div>
  )
}
