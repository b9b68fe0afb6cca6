export { ageSegments } from './age-segments-store.ts'
