import type { Role } from '@interview-room/contract/vocabulary.ts'

export { lastTestOf, listRespondentTests } from './last-test-store.ts'

/** Roles that prepare somebody for the interview; nobody else learns of a test. */
const READERS: readonly Role[] = ['moderator', 'platform_observer']

export function mayReadTests(role: Role): boolean {
  return READERS.includes(role)
}
