/** What others may read of those who were in a room. */
export { listEntries } from './entry-store.ts'
export { listParticipants } from './participant-store.ts'
export { findSpotlightIdentity, hasHandRaised } from './present-store.ts'
