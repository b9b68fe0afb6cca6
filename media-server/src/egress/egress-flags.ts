import path from 'node:path'
import { type Environment, parseAmount } from '../lib/cli-values.ts'
import type { EgressOptions } from './egresses.ts'

interface EgressFlags {
  'egress-dir'?: string | undefined
  'egress-output-dir'?: string | undefined
  'egress-max-minutes'?: string | undefined
  'egress-start-timeout'?: string | undefined
}

/** The options of recording; undefined without a folder for it. */
export function egressOf(flags: EgressFlags, env: Environment): EgressOptions | undefined {
  const given = flags['egress-dir'] ?? env['EGRESS_DIR'] ?? ''
  if (given === '') return undefined
  const folder = path.resolve(given)
  const output = flags['egress-output-dir'] ?? env['EGRESS_OUTPUT_DIR'] ?? ''
  const minutes = flags['egress-max-minutes'] ?? env['EGRESS_MAX_MINUTES'] ?? ''
  const startTimeout = flags['egress-start-timeout'] ?? env['EGRESS_START_TIMEOUT'] ?? ''
  return {
    folder,
    outputFolder: output === '' ? path.join(folder, 'files') : path.resolve(output),
    ...(minutes !== '' && {
      sessionMinutesMax: parseAmount(minutes, 'EGRESS_MAX_MINUTES (--egress-max-minutes)'),
    }),
    ...(startTimeout !== '' && {
      startTimeoutSec: parseAmount(startTimeout, 'EGRESS_START_TIMEOUT (--egress-start-timeout)'),
    }),
    env,
  }
}
