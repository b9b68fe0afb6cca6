/** The queries on people in a room for other folders. */
export { listAdmissionsOf } from './admission-store.ts'
export { listEntries, listPlaces } from './entry-store.ts'
export {
  listNamesOf,
  listParticipants,
  listParticipantsOf,
  type NamedPerson,
} from './participant-store.ts'
export { findSpotlightIdentity, hasHandRaised, listSpotlights } from './present-store.ts'
export { mayShareScreen } from './screen-permission-store.ts'
