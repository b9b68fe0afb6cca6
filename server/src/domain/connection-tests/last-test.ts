import type { Role } from '@interview-room/contract/vocabulary.ts'

export { lastTestOf, listRespondentTests } from './last-test-store.ts'

/** The roles that prepare people for the interview. No other role sees a test. */
const READERS: readonly Role[] = ['moderator', 'platform_observer']

export function mayReadTests(role: Role): boolean {
  return READERS.includes(role)
}
