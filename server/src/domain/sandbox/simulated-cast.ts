import type { NewPerson } from './enter-person.ts'

/** Whom triggers let in. */
export const MODERATOR: NewPerson = {
  role: 'moderator',
  displayName: 'Simulated moderator',
  externalType: 'Simulated',
  externalId: 'moderator',
  isPublishing: true,
  consent: 'given',
}

export const RESPONDENT: NewPerson = {
  ...MODERATOR,
  role: 'panelist',
  displayName: 'Simulated respondent',
  externalId: 'respondent',
}
