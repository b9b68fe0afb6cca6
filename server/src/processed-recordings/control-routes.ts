import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'

/** Part B, "ProcessedRecording". */
export async function processedRecordingControlRoutes(_app: App, _deps: Deps): Promise<void> {}
