import { Pause, Play, Volume2, VolumeX } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { Button, IconButton } from '../ui/button.tsx'

interface Player {
  subscribe: (listener: () => void) => () => void
  speed: () => number
  toggle: () => void
}

export function PlayButton({ player }: { player: Player }) {
  const isStopped = useSyncExternalStore(player.subscribe, player.speed) === 0
  return (
    <Button
      look="primary"
      aria-label={isStopped ? 'Play (Space)' : 'Pause (Space)'}
      onClick={() => player.toggle()}
      className="w-9 px-0! pointer-coarse:w-11"
    >
      {isStopped ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
    </Button>
  )
}

export function SpeedText({ player }: { player: Player }) {
  const speed = useSyncExternalStore(player.subscribe, player.speed)
  return <span className="timecode w-8 text-center text-xs text-ink-3">{speed || 1}×</span>
}

export function SoundButton({
  player,
}: {
  player: Player & { isMuted: () => boolean; toggleSound: () => void }
}) {
  const isMuted = useSyncExternalStore(player.subscribe, player.isMuted)
  return (
    <IconButton label={isMuted ? 'Sound on (M)' : 'Mute (M)'} onClick={player.toggleSound}>
      {isMuted ? <VolumeX size={15} aria-hidden /> : <Volume2 size={15} aria-hidden />}
    </IconButton>
  )
}
