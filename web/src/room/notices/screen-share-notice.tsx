import type { CallConnection } from '../../connection/call-connection.ts'
import type { Scene } from '../../connection/call-state.ts'
import { Button } from '../../design/button.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import styles from './mute-request.module.css'

interface ScreenShareNoticeProps {
  call: CallConnection
  scene: Pick<Scene, 'screenShare'>
}

/**
 * Shows that others see the own screen, with a button to stop it. If sharing failed, shows that until it is
 * dismissed.
 */
export function ScreenShareNotice({ call, scene: { screenShare } }: ScreenShareNoticeProps) {
  const { screen: text, device } = useToolsText()
  return (
    <output>
      {screenShare === 'on' && (
        <div className={styles.request}>
          <strong>{text.sharing}</strong>
          <Button size="small" onPress={() => void call.shareScreen(false)}>
            {text.stop}
          </Button>
        </div>
      )}
      {screenShare === 'failed' && (
        <div className={styles.request}>
          <div>
            <strong>{text.failed}</strong>
            <p>{text.failedHint}</p>
          </div>
          <Button size="small" onPress={() => void call.shareScreen(true)}>
            {text.retry}
          </Button>
          <Button size="small" onPress={() => void call.shareScreen(false)}>
            {device.dismiss}
          </Button>
        </div>
      )}
    </output>
  )
}
