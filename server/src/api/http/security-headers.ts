import type { Config } from '../../platform/config/config.ts'

const HSTS_SEC = 365 * 24 * 60 * 60

/** The headers of every answer. Pages and files add their own caching and policies. */
export function securityHeaders({ publicUrl }: Pick<Config, 'publicUrl'>): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    ...(publicUrl.startsWith('https:') && {
      'strict-transport-security': `max-age=${HSTS_SEC}`,
    }),
  }
}
