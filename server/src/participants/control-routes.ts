import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'

export async function participantControlRoutes(_app: App, _deps: Deps): Promise<void> {}
