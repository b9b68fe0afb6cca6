import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'

/** Part B, "Transcriptions". */
export async function transcriptionControlRoutes(_app: App, _deps: Deps): Promise<void> {}
