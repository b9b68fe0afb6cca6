/**
 * Detects answers that overtake each other. Call `ask` for each request. Call its result when the answer arrives: it
 * returns true unless the answer to a later request has arrived before.
 */
export function numberQuestions(): { ask: () => () => boolean } {
  let askedCount = 0
  let newest = 0
  return {
    ask: () => {
      askedCount += 1
      const mine = askedCount
      return () => {
        newest = Math.max(newest, mine)
        return newest === mine
      }
    },
  }
}
