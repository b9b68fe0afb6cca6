const KEY = 'interview-room.shortcuts'
const OFF = 'off'

/** Keys without a modifier can be pressed by accident, or by voice control, so people may turn them off. */
export function areShortcutsOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== OFF
  } catch {
    return true
  }
}

export function rememberShortcuts(areOn: boolean): void {
  try {
    if (areOn) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, OFF)
  } catch {
    // A browser that stores nothing keeps them on.
  }
}
