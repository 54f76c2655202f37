/** An iPhone fills its screen with a video alone, by a call of its own. */
interface PhoneVideo extends HTMLVideoElement {
  webkitEnterFullscreen?: () => void
}

export function canFullScreen(): boolean {
  return document.fullscreenEnabled || 'webkitEnterFullscreen' in HTMLVideoElement.prototype
}

/** A browser may refuse it; then everything stays as it is. */
export function toggleFullScreen(frame: HTMLElement | null): void {
  if (document.fullscreenElement) void document.exitFullscreen()
  else if (document.fullscreenEnabled) void frame?.requestFullscreen().catch(() => undefined)
  else {
    const video = frame?.querySelector<PhoneVideo>('video:not([aria-hidden=true])')
    video?.webkitEnterFullscreen?.()
  }
}
