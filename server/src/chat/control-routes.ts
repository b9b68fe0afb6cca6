import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'

/** Part A, "Chat". */
export async function chatControlRoutes(_app: App, _deps: Deps): Promise<void> {}
