/** A question that is being written. */
export interface Draft {
  /** Stays the same until the question is saved, so that a repeat after a lost answer does not add it twice. */
  id: string
  text: string
}

/** The field after a question could not be saved. Text that was written meanwhile follows it. */
export function putBack(failed: Draft, now: Draft): Draft {
  return now.text === '' ? failed : { ...now, text: `${failed.text} ${now.text}` }
}
