import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'

export async function providerRoutes(_app: App, _deps: Deps): Promise<void> {}
