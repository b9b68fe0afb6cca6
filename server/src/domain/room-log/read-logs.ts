/** The queries on a room's two logs for other folders: the live log of its open pages, and the permanent one. */
export { findPosition } from './clock-store.ts'
export { listLiveEvents } from './live-event-store.ts'
export { hasRoomEvent, listEventsBetween, listRoomEvents } from './room-event-store.ts'
