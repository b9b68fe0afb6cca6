import type { EnvironmentReader } from '../lib/environment.ts'
import type { TargetReach, TargetRules } from '../lib/target-guard.ts'

/** By the value of WEBHOOKS_ALLOW_PRIVATE_TARGETS; 0 and 1 as in every flag. */
const REACHES = {
  false: 'public',
  loopback: 'loopback',
  true: 'any',
  '0': 'public',
  '1': 'any',
} as const satisfies Record<string, TargetReach>

const WORDS = ['false', 'loopback', 'true', '0', '1'] as const

/** The addresses that webhooks may be sent to, and tenants' key sets fetched from. */
export function readTargets(read: EnvironmentReader): TargetRules {
  const reach = REACHES[read.word('WEBHOOKS_ALLOW_PRIVATE_TARGETS', WORDS, 'false')]
  return { reach, allowHttp: read.flag('WEBHOOKS_ALLOW_HTTP', reach !== 'public') }
}
