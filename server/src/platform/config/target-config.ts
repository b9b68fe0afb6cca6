import type { EnvironmentReader } from '../lib/environment.ts'
import type { TargetReach, TargetRules } from '../lib/target-guard.ts'

/** By what WEBHOOKS_ALLOW_PRIVATE_TARGETS says; 0 and 1 as in every flag. */
const REACHES = {
  false: 'public',
  loopback: 'loopback',
  true: 'any',
  '0': 'public',
  '1': 'any',
} as const satisfies Record<string, TargetReach>

const WORDS = ['false', 'loopback', 'true', '0', '1'] as const

/** Where webhooks may be sent to, and key sets of tenants fetched from. */
export function readTargets(read: EnvironmentReader): TargetRules {
  const reach = REACHES[read.word('WEBHOOKS_ALLOW_PRIVATE_TARGETS', WORDS, 'false')]
  return { reach, allowHttp: read.flag('WEBHOOKS_ALLOW_HTTP', reach !== 'public') }
}
