import type { CallConnection } from '../../connection/call-connection.ts'
import type { Scene } from '../../connection/call-state.ts'
import { Button } from '../../design/button.tsx'
import { MicrophoneIcon } from '../../design/icons.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import styles from './mute-request.module.css'

interface MuteRequestProps {
  call: CallConnection
  scene: Scene
}

/** Says that the microphone is off at the moderator's request, until its owner turns it on. */
export function MuteRequest({ call, scene }: MuteRequestProps) {
  const text = useToolsText().muteRequest
  return (
    <div role="alert">
      {scene.isMuteAsked && scene.microphone === 'off' && (
        <div className={styles.request}>
          <MicrophoneIcon isOff />
          <div>
            <strong>{text.title}</strong>
            <p>{text.hint}</p>
          </div>
          <Button size="small" onPress={() => call.dismissMuteRequest()}>
            {text.dismiss}
          </Button>
        </div>
      )}
    </div>
  )
}
