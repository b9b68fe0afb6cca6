import { createRequire } from 'node:module'
import { startLocal } from '@interview-room/server/src/local/start-local.ts'

/** `npm start` with a media server that fails where a test asks for it. */
const PROGRAM = '@interview-room/media-server/test/faulty-server/main.ts'

await startLocal(createRequire(import.meta.url).resolve(PROGRAM))
