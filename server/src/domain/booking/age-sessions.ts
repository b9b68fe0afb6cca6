export { ageSessions } from './session-store.ts'
