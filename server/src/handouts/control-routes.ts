import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'

/** Part B, "Handouts". */
export async function handoutControlRoutes(_app: App, _deps: Deps): Promise<void> {}
