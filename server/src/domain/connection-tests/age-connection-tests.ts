export { ageConnectionTests } from './store.ts'
