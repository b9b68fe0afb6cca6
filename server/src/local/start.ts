import { startLocal } from './start-local.ts'

await startLocal()
