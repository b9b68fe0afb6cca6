/**
 * Numbers questions whose answers may overtake each other. `ask` is called for each, and what it answers, once its
 * answer is there: whether none that was asked for later has come before it.
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
