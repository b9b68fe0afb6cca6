/** Safari on a phone shows only the video in full screen, in its own way. */
interface PhoneVideo extends HTMLVideoElement {
  webkitEnterFullscreen?: () => void
}

const stage = () => document.querySelector<HTMLElement>('[data-stage]')

export function toggleFullScreen(): void {
  if (document.fullscreenElement !== null) {
    void document.exitFullscreen()
    return
  }
  const element = stage()
  // A browser may forbid it, such as in a frame.
  if (document.fullscreenEnabled) void element?.requestFullscreen().catch(() => {})
  else element?.querySelector<PhoneVideo>('video')?.webkitEnterFullscreen?.()
}
