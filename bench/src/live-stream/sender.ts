/** The moderator's name on both sides. */
export const SENDER = 'Bench moderator'
