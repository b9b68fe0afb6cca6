import type { EnvironmentReader } from '../lib/environment.ts'

/** The limits of a tenant; null is no limit. */
export interface TenantLimits {
  /** Requests of its API keys in a minute, together. */
  requestsPerMin: number | null
  /** Booked rooms whose interview is not over. */
  roomsMax: number | null
  /** Bytes of recordings, processed recordings, clips and handouts; nothing new is booked or uploaded from there on. */
  storedBytesMax: number | null
}

/** The highest values that an operator can set. */
export const REQUESTS_PER_MIN_MAX = 1_000_000
export const ROOMS_MAX = 1_000_000
export const STORED_GB_MAX = 1_000_000
export const BYTES_PER_GB = 1_000_000_000

/** The limits of tenants that have none of their own; 0 is no limit. */
export function readTenantLimits(read: EnvironmentReader): TenantLimits {
  const count = (name: string, max: number) =>
    read.integer(name, { min: 0, max, fallback: 0 }) || null
  const storedGb = count('TENANT_STORED_GB_MAX', STORED_GB_MAX)
  return {
    requestsPerMin: count('TENANT_REQUESTS_PER_MIN', REQUESTS_PER_MIN_MAX),
    roomsMax: count('TENANT_ROOMS_MAX', ROOMS_MAX),
    storedBytesMax: storedGb === null ? null : storedGb * BYTES_PER_GB,
  }
}
