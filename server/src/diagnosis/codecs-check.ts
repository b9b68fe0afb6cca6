import { fail, ok, type Outcome, warn } from '../platform/checks/check.ts'
import type { Config } from '../platform/config/config.ts'

/** Codecs that are captured, and the ones used with them. Servers write their names in different case. */
const RECORDED: ReadonlySet<string> = new Set(['audio/opus', 'audio/red', 'video/rtx', 'video/vp8'])

/** Codecs that the pages send. */
const NEEDED = ['audio/opus', 'video/vp8']
const MEND = 'Set room.enabled_codecs of LiveKit to audio/opus, audio/red, video/vp8 and video/rtx.'

/** Fails without the codecs that pages send. Warns of codecs that clients may send (`publishCodecs`, such as `video/VP9`) but that recorders of captures do not record. */
export function checkCodecs(
  publishCodecs: readonly string[],
  { fromCaptures }: Pick<Config['recordings'], 'fromCaptures'>,
): Outcome {
  const taken = new Set(publishCodecs.map((each) => each.toLowerCase()))
  const missing = NEEDED.filter((each) => !taken.has(each))
  if (missing.length > 0) {
    return fail(`LiveKit takes no ${missing.join(' and no ')}, so pages send nothing`, MEND)
  }
  const others = publishCodecs.filter((each) => !RECORDED.has(each.toLowerCase()))
  if (!fromCaptures || others.length === 0) return ok('LiveKit takes nothing that is not recorded')
  const named = others.join(', ')
  return warn(
    `LiveKit takes ${named}, which is missing in recordings; our pages send none of it`,
    MEND,
  )
}
