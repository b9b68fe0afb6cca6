import { useState } from 'react'
import { playOnce } from '../devices/play.ts'
import { chime } from '../devices/tone.ts'

/** The sound of the board. It is off until the operator turns it on. */
export interface Bell {
  isOn: boolean
  turn(isOn: boolean): void
  /** Plays the sound if it is on. */
  ring(): void
}

export function useBell(): Bell {
  const [isOn, setIsOn] = useState(false)
  return {
    isOn,
    turn(isWanted) {
      setIsOn(isWanted)
      // Plays once when it is turned on, so that the operator knows the sound, and the browser allows later ones.
      if (isWanted) play()
    },
    ring() {
      if (isOn) play()
    },
  }
}

function play(): void {
  // If the browser refuses to play, the alarm is still on the page.
  void playOnce(chime()).catch(() => {})
}
