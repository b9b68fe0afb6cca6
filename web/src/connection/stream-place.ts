const PLACES = 2

/**
 * A browser opens six connections to a server that speaks HTTP/1.1, over all its tabs. Two of them may be streams; the other pages
 * read the changes. The place of a closed tab is free at once.
 */
export async function takePlace(): Promise<(() => void) | undefined> {
  // Older browsers lack this.
  const locks = navigator.locks as LockManager | undefined
  if (locks === undefined) return () => {}
  for (let place = 1; place <= PLACES; place += 1) {
    const leave = await new Promise<(() => void) | undefined>((resolve) => {
      locks
        .request(`room stream ${place}`, { ifAvailable: true }, async (lock) => {
          if (lock === null) return resolve(undefined)
          await new Promise<void>((end) => resolve(end))
        })
        // A frame that may store nothing has no locks.
        .catch(() => resolve(() => {}))
    })
    if (leave !== undefined) return leave
  }
  return undefined
}
