/** Two letters within this time are typing. */
const TYPING_MS = 300

/**
 * Tells a shortcut from a word that somebody types without a field in focus. A press acts after 300 ms, unless another one comes
 * before; of a word, no letter acts.
 */
export function createTypingGuard(): { press(act: () => void): void } {
  let waiting: ReturnType<typeof setTimeout> | undefined
  let isTyping = false
  return {
    press(act) {
      isTyping = waiting !== undefined
      clearTimeout(waiting)
      waiting = setTimeout(() => {
        waiting = undefined
        if (!isTyping) act()
      }, TYPING_MS)
    },
  }
}
