/** A sync that is being made: its tracks are there already and fill as their sound is read. */
import { useState } from 'react'
import type { Sync, SyncItem } from '../../../contract/syncs.ts'
import { api } from '../../app/api.ts'
import { showFailure } from '../../app/failures.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Progress } from '../../ui/progress.tsx'
import { SyncPath } from './sync-header.tsx'
import { WavePath } from './wave-path.tsx'

export function SyncRunning({ sync, onChange }: { sync: Sync; onChange: () => void }) {
  const [isCanceling, setCanceling] = useState(false)
  const cancel = async (): Promise<void> => {
    setCanceling(true)
    try {
      await api.cancelSync({ params: { id: sync.id } })
      onChange()
    } catch (error) {
      showFailure(error, { title: 'Not canceled' })
      setCanceling(false)
    }
  }
  const longest = Math.max(...sync.items.map(({ media }) => media.duration))
  const heard = sync.items.filter((item) => hasSound(item))
  const reading = sync.status === 'running' ? heard.find(({ waveform }) => waveform === '') : null
  return (
    <div className="flex min-h-0 grow flex-col">
      <header className="flex min-h-11 flex-wrap items-center gap-3 border-b border-line bg-panel px-4 py-1.5">
        <SyncPath />
        <h1 className="min-w-0 truncate font-semibold">{sync.name}</h1>
        <Badge>{sync.status === 'queued' ? 'waiting' : `${percentOf(sync)} %`}</Badge>
        <span className="grow" />
        <Button busy={isCanceling} onClick={() => void cancel()}>
          Cancel
        </Button>
      </header>
      <section aria-label="Progress" className="flex flex-col gap-2 p-4">
        <p role="status" className="text-ink-2">
          {stepText(sync, heard)} ${sync.held_usd.toFixed(3)} is held; it is charged when this is
          done.
        </p>
        {sync.status === 'running' && <Progress value={sync.progress} label="Sync" />}
      </section>
      <section aria-label="Tracks" className="border-t border-line">
        <ul>
          {sync.items.map((item, index) => (
            <li
              key={item.content_id}
              className="grid grid-cols-[296px_minmax(0,1fr)] border-b border-line max-md:grid-cols-1"
            >
              <p className="flex h-17 items-center gap-3 border-r border-line px-3 max-md:h-14 max-md:border-r-0">
                <span className="figures w-5 shrink-0 text-center text-xs text-ink-3">
                  {index + 1}
                </span>
                <span className="min-w-0">
                  <span className="block truncate font-medium" title={item.name}>
                    {item.name}
                  </span>
                  <span className="block text-xs text-ink-3">{stateText(item, reading)}</span>
                </span>
              </p>
              <div className="h-17 p-1 max-md:h-12">
                <svg
                  aria-hidden
                  viewBox="0 0 1 512"
                  preserveAspectRatio="none"
                  style={{ width: `${(item.media.duration / longest) * 100}%` }}
                  className="h-full rounded-sm bg-raised"
                >
                  {item.waveform !== '' && <WavePath waveform={item.waveform} />}
                </svg>
              </div>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

function hasSound({ media }: SyncItem): boolean {
  return media.audio.length > 0
}

function percentOf({ progress }: Sync): number {
  return Math.round(progress * 100)
}

function stepText(sync: Sync, heard: readonly SyncItem[]): string {
  if (sync.status === 'queued') return 'Waiting for its turn.'
  const read = heard.filter(({ waveform }) => waveform !== '').length
  return read < heard.length
    ? `${read} of ${heard.length} sounds read, ${percentOf(sync)} %.`
    : `Comparing ${heard.length} sounds, ${percentOf(sync)} %.`
}

function stateText(item: SyncItem, reading: SyncItem | null | undefined): string {
  if (!hasSound(item)) return 'No sound, by timecode only'
  if (item.waveform !== '') return 'Sound read'
  return item === reading ? 'Reading its sound…' : 'Waiting'
}
