/** A question that is being written. */
export interface Draft {
  /** The same until it is saved: a repeat after a lost answer adds no second one. */
  id: string
  text: string
}

/** The field after a question was not saved: what was written meanwhile follows it. */
export function putBack(failed: Draft, now: Draft): Draft {
  return now.text === '' ? failed : { ...now, text: `${failed.text} ${now.text}` }
}
