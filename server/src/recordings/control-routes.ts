import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'

/** Part B, "Recordings". */
export async function recordingControlRoutes(_app: App, _deps: Deps): Promise<void> {}
