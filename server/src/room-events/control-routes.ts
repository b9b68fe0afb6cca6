import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'

/** Part A, "RoomEvent". */
export async function roomEventControlRoutes(_app: App, _deps: Deps): Promise<void> {}
