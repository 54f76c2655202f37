import { timings } from '../../../domain/money/catalogue.ts'

const framesPerSecond = 60

/** Twenty pieces that fall for three seconds; none where motion is not wanted. */
export function throwConfetti(): () => void {
  const canvas = document.createElement('canvas')
  canvas.className = 'pointer-events-none fixed inset-0 z-50 size-full'
  canvas.setAttribute('aria-hidden', 'true')
  canvas.dataset.confetti = String(timings.confettiPieces)
  document.body.append(canvas)
  void import('canvas-confetti').then(({ default: confetti }) =>
    confetti.create(canvas, { resize: true })({
      particleCount: timings.confettiPieces,
      ticks: (timings.confettiMs / 1000) * framesPerSecond,
      spread: 100,
      startVelocity: 35,
      origin: { y: 0.4 },
      disableForReducedMotion: true,
    }),
  )
  const timer = setTimeout(() => canvas.remove(), timings.confettiMs)
  return () => {
    clearTimeout(timer)
    canvas.remove()
  }
}
