export { lastRunOf } from './store.ts'
