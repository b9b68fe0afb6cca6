import {
  BYTES_PER_GB,
  REQUESTS_PER_MIN_MAX,
  ROOMS_MAX,
  STORED_GB_MAX,
  type TenantLimits,
} from '../platform/config/tenant-limits.ts'
import type { Deps } from '../platform/ports/deps.ts'
import { limitsOf, setTenantLimits } from '../platform/tenants/tenant-limits.ts'
import type { Command } from './command.ts'
import { withReplaced } from './with-replaced.ts'

/** A tenant's limits. A verb of `tenants`. */
export const LIMIT_COMMANDS: Record<string, Command> = {
  limit: {
    needs: ['--tenant <id>'],
    takes: ['--requests-per-min <n>', '--rooms <n>', '--stored-gb <n>'],
    summary:
      'Limit a tenant, by a number, none or default (the setting of the service); without an option, show what holds.',
    async run(deps, options) {
      const tenantId = options.uuid('tenant')
      const requestsPerMin = options.limit('requests-per-min', REQUESTS_PER_MIN_MAX)
      const roomsMax = options.limit('rooms', ROOMS_MAX)
      const storedGb = options.limit('stored-gb', STORED_GB_MAX)
      const { before, now } = await setTenantLimits(deps, {
        tenantId,
        changes: {
          ...(requestsPerMin !== undefined && { requestsPerMin }),
          ...(roomsMax !== undefined && { roomsMax }),
          ...(storedGb !== undefined && { storedBytesMax: storedGb && storedGb * BYTES_PER_GB }),
        },
      })
      return withReplaced(amounts(deps, before), {
        tenant_id: tenantId,
        ...amounts(deps, now),
        requests_per_min_from: source(now.requestsPerMin),
        rooms_open_from: source(now.roomsMax),
        stored_bytes_from: source(now.storedBytesMax),
      })
    },
  },
}

/** The limits in force: the tenant's own, else the service's. */
function amounts({ config }: Pick<Deps, 'config'>, own: TenantLimits) {
  const limits = limitsOf(own, config.tenantLimits)
  return {
    requests_per_min: limits.requestsPerMin,
    rooms_open: limits.roomsMax,
    stored_bytes: limits.storedBytesMax,
  }
}

function source(own: number | null): 'default' | 'tenant' {
  return own === null ? 'default' : 'tenant'
}
