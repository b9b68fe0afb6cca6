/** What others may read of a room's two logs: the live one of its open pages, and the lasting one. */
export { findPosition } from './clock-store.ts'
export { listLiveEvents } from './live-event-store.ts'
export { hasRoomEvent, listEventsBetween, listRoomEvents } from './room-event-store.ts'
