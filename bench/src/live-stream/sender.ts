/** As the moderator is called on both sides. */
export const SENDER = 'Bench moderator'
