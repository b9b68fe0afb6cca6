import { useState } from 'react'
import { type RememberedDevices, recallDevices, rememberDevices } from './remembered.ts'

/** What was chosen on this machine; a change is remembered for the next time. */
export function useRememberedDevices() {
  const [wish, setWish] = useState(recallDevices)
  function change(part: Partial<RememberedDevices>): void {
    rememberDevices(part)
    setWish((before) => ({ ...before, ...part }))
  }
  return { wish, change }
}
