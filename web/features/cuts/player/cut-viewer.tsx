import { useCallback, useSyncExternalStore } from 'react'
import type { ReactNode, RefObject } from 'react'
import { classes } from '../../../ui/classes.ts'
import type { CutPlayer } from './cut-player.ts'

/** Two videos that take turns on one neutral surround. */
export function CutViewer({
  player,
  frame,
  note,
  chip,
  captions,
}: {
  player: CutPlayer
  /** Fills the screen in full screen. */
  frame: RefObject<HTMLDivElement | null>
  /** Stands where there is no picture of this moment. */
  note: ReactNode
  chip?: ReactNode
  captions?: ReactNode
}) {
  const shown = useSyncExternalStore(player.subscribe, player.shown)
  return (
    <div
      ref={frame}
      className="relative size-full min-h-0 overflow-hidden bg-surround fullscreen:bg-[black]"
    >
      <TurnVideo player={player} index={0} isShown={shown === 0} />
      <TurnVideo player={player} index={1} isShown={shown === 1} />
      {shown === null && (
        <div
          role="status"
          className="hatched absolute inset-0 grid place-items-center p-8 text-center text-ink-2"
        >
          {note}
        </div>
      )}
      {captions}
      {chip}
    </div>
  )
}

function TurnVideo({
  player,
  index,
  isShown,
}: {
  player: CutPlayer
  index: 0 | 1
  isShown: boolean
}) {
  const attach = useCallback(
    (video: HTMLVideoElement | null) => player.attach(index, video),
    [player, index],
  )
  return (
    // The text beside the picture is the captions' text.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <video
      ref={attach}
      preload="auto"
      playsInline
      disablePictureInPicture
      aria-hidden={!isShown}
      data-turn={index}
      onClick={() => player.toggle()}
      className={classes('absolute inset-0 size-full object-contain', !isShown && 'opacity-0')}
    />
  )
}
