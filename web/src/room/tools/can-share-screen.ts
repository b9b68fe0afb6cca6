/** Browsers of phones cannot. */
export function canBrowserShareScreen(): boolean {
  return typeof navigator.mediaDevices?.getDisplayMedia === 'function'
}
