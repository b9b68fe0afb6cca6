import type { Corner } from './arrange-stage.ts'
import type { Layout } from './layout.ts'

const KEY = 'interview-room.view'

/** The view that somebody last used in a room, on this machine. */
export interface RememberedView {
  layout: Layout
  corner: Corner
}

const FIRST_TIME: RememberedView = { layout: 'grid', corner: 'bottom-right' }

export function recallView(): RememberedView {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<RememberedView>
    return { ...FIRST_TIME, ...stored }
  } catch {
    return FIRST_TIME
  }
}

export function rememberView(change: Partial<RememberedView>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...recallView(), ...change }))
  } catch {
    // A browser that stores nothing begins with the grid the next time.
  }
}
