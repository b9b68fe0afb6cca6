export { deleteConnectionTest as eraseConnectionTest } from './store.ts'
