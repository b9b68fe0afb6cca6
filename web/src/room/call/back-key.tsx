import { useEffect, useRef, useState } from 'react'
import { LeaveDialog } from '../tools/leave-dialog.tsx'
import type { useOpenPanels } from './side-panels.tsx'

const OVERLAYS = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]'

interface BackKeyProps {
  open: ReturnType<typeof useOpenPanels>
  onLeave: () => void
}

/** The back key of a phone closes what lies over the room, then the panel that was opened last, and then asks. */
export function BackKey({ open, onLeave }: BackKeyProps) {
  const [isAsking, setIsAsking] = useState(false)
  useBackKey(() => {
    const top = open.openIds.at(-1)
    if (closeOverlay()) return
    if (top === undefined) setIsAsking(true)
    else open.close(top)
  })
  return <LeaveDialog isOpen={isAsking} onOpenChange={setIsAsking} onLeave={onLeave} />
}

/**
 * A step back does `back`, and never leaves the page. A page in a frame leaves the key to the page around it. An address with
 * parameters is a new link, not a step back.
 */
function useBackKey(back: () => void): void {
  const latest = useRef(back)
  useEffect(() => {
    latest.current = back
  })
  useEffect(() => {
    if (globalThis.top !== globalThis.self) return undefined
    const stay = () => history.pushState(null, '')
    function onBack(): void {
      if (location.hash !== '') return
      stay()
      latest.current()
    }
    stay()
    addEventListener('popstate', onBack)
    return () => removeEventListener('popstate', onBack)
  }, [])
}

/** Returns false if nothing lies over the room. */
function closeOverlay(): boolean {
  const overlay = [...document.querySelectorAll(OVERLAYS)].at(-1)
  overlay?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  return overlay !== undefined
}
