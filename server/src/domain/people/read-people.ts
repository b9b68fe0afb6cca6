/** The queries on people in a room for other folders. */
export { type KeptAdmission, listAdmissionsOf } from './admission-store.ts'
export { listEntries } from './entry-store.ts'
export { listParticipants, listParticipantsOf } from './participant-store.ts'
export {
  findSpotlightIdentity,
  hasHandRaised,
  listSpotlights,
  mayShareScreen,
  type PastSpotlight,
} from './present-store.ts'
