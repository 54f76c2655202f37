import type { FileType } from '../../../domain/export-formats.ts'
import { exportFile } from '../../saved/export-file.ts'
import { counted } from '../../app/format.ts'
import { saveFirst } from '../../saved/save-first.ts'
import { Button } from '../../ui/button.tsx'
import { framesOf } from './viewer/reel.ts'
import { useWorkbench } from './workbench-context.ts'

/** The two files that editors take most, without a dialog: of the selects, once there are any. */
export function QuickExports() {
  const { job, state, corrections, reel, comments } = useWorkbench()
  const { selects } = state.review
  const hasSelects = selects.length > 0
  if (!state.isLoaded || !job) return null
  const run = async (format: FileType) => {
    if (!(await saveFirst('Not exported', state, corrections))) return
    await exportFile(
      { job: job.id },
      {
        format,
        ...(hasSelects ? { which: 'selects' } : {}),
        ...(comments.length > 0 ? { comments: 'true' } : {}),
      },
    )
  }
  const holding = hasSelects ? 'of your selects' : 'of everything found'
  return (
    <footer className="flex flex-wrap items-center gap-2 border-t border-line px-3 py-2">
      <p className="grow text-ink-3">
        {counted(selects.length, 'select')}
        {' · '}
        {hasSelects ? (
          <span className="timecode">{reel.length(selects.map(framesOf))}</span>
        ) : (
          'export everything'
        )}
      </p>
      {(['edl', 'fcpxml'] as const).map((format) => (
        <Button
          key={format}
          title={`${format.toUpperCase()} ${holding}`}
          onClick={() => void run(format)}
        >
          {format.toUpperCase()}
        </Button>
      ))}
    </footer>
  )
}
