/** False in browsers of phones. */
export function canBrowserShareScreen(): boolean {
  return typeof navigator.mediaDevices?.getDisplayMedia === 'function'
}
