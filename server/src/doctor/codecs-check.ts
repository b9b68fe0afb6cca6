import type { Config } from '../platform/config/config.ts'
import { ok, type Outcome, warn } from './check-result.ts'

/** What is captured, and what goes with it; names of codecs differ in case between servers. */
const RECORDED: ReadonlySet<string> = new Set(['audio/opus', 'audio/red', 'video/rtx', 'video/vp8'])

/** What clients may send, `publishCodecs` such as `video/VP9`, and recorders that deliver captures do not record. */
export function checkCodecs(
  publishCodecs: readonly string[],
  { fromCaptures }: Pick<Config['recordings'], 'fromCaptures'>,
): Outcome {
  const others = publishCodecs.filter((each) => !RECORDED.has(each.toLowerCase()))
  if (!fromCaptures || others.length === 0) return ok('LiveKit takes nothing that is not recorded')
  const named = others.join(', ')
  return warn(
    `LiveKit takes ${named}, which is missing in recordings; our pages send none of it`,
    'Set room.enabled_codecs of LiveKit to audio/opus, audio/red, video/vp8 and video/rtx.',
  )
}
