import { useState } from 'react'
import { type RememberedDevices, recallDevices, rememberDevices } from './remembered.ts'

/** The remembered choices of this machine. A change is stored for the next visit. */
export function useRememberedDevices() {
  const [wish, setWish] = useState(recallDevices)
  function change(part: Partial<RememberedDevices>): void {
    rememberDevices(part)
    setWish((before) => ({ ...before, ...part }))
  }
  return { wish, change }
}
