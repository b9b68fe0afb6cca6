import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'

/** Part B, "ConnectionTests". */
export async function connectionTestControlRoutes(_app: App, _deps: Deps): Promise<void> {}
