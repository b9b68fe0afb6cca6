import { useState } from 'react'
import { playOnce } from '../devices/play.ts'
import { chime } from '../devices/tone.ts'

/** The sound of the board, off until the operator turns it on. */
export interface Bell {
  isOn: boolean
  turn(isOn: boolean): void
  /** Plays, where it is on. */
  ring(): void
}

export function useBell(): Bell {
  const [isOn, setIsOn] = useState(false)
  return {
    isOn,
    turn(isWanted) {
      setIsOn(isWanted)
      // Heard once, so that it is known, and so that the browser plays the next ones.
      if (isWanted) play()
    },
    ring() {
      if (isOn) play()
    },
  }
}

function play(): void {
  // A browser that plays nothing has the alarm on its page all the same.
  void playOnce(chime()).catch(() => {})
}
