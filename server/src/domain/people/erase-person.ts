export { deletePeople as erasePerson } from './erasure-store.ts'
