import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'

/** The chat of the participant plane. */
export async function chatLiveRoutes(_app: App, _deps: Deps): Promise<void> {}
