import * as operations from '@interview-room/contract/operations/public.ts'
import type { App } from '../http/app-types.ts'
import { serve } from '../http/serve.ts'
import { liveness, type Readiness } from './health.ts'

/** `GET /health` and `GET /health/ready`. */
export function healthRoutes(app: App, readiness: Readiness): void {
  serve(app, operations.getHealth, async () => ({ data: liveness() }))
  serve(app, operations.getReadiness, async () => {
    const health = await readiness()
    return { status: health.status === 'fail' ? 503 : 200, data: health }
  })
}
