import type { CallFacts } from '../../connection/call-state.ts'
import type { ToolsDictionary } from '../../i18n/tools-ja.ts'
import { toolsOf } from './tools-of.ts'

/** The shortcuts of this person, with their descriptions. */
export function shortcutRows(
  { shortcuts: { keys } }: ToolsDictionary,
  { me, capabilities }: Pick<CallFacts, 'me' | 'capabilities'>,
) {
  const { canMark, canRaiseHand } = toolsOf(me.role)
  const rows = [
    { keys: 'M', words: keys.microphone, isOffered: capabilities.canPublishMicrophone },
    { keys: 'V', words: keys.camera, isOffered: capabilities.canPublishCamera },
    { keys: 'H', words: keys.hand, isOffered: canRaiseHand },
    { keys: 'B', words: keys.marker, isOffered: canMark },
    { keys: 'N', words: keys.nextHandout, isOffered: capabilities.canModerate },
    { keys: 'P', words: keys.previousHandout, isOffered: capabilities.canModerate },
    { keys: 'X', words: keys.hideHandout, isOffered: capabilities.canModerate },
    { keys: 'PgDn', words: keys.nextPage, isOffered: capabilities.canModerate },
    { keys: 'PgUp', words: keys.previousPage, isOffered: capabilities.canModerate },
    { keys: 'Shift + R', words: keys.recording, isOffered: capabilities.canModerate },
    { keys: 'F6', words: keys.region, isOffered: true },
    { keys: '?', words: keys.help, isOffered: true },
  ]
  return rows.filter(({ isOffered }) => isOffered)
}
