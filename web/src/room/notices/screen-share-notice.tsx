import { useEffect, useRef } from 'react'
import type { CallConnection } from '../../connection/call-connection.ts'
import type { Scene, VideoState } from '../../connection/call-state.ts'
import { Button } from '../../design/button.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import styles from './mute-request.module.css'
import own from './screen-share-notice.module.css'

interface ScreenShareNoticeProps {
  call: CallConnection
  scene: Pick<Scene, 'screenShare' | 'people'>
}

/** Shows what others see of the own screen. If sharing failed, shows that until it is dismissed. */
export function ScreenShareNotice({ call, scene }: ScreenShareNoticeProps) {
  const { screenShare, people } = scene
  const screen = people.find(({ isLocal }) => isLocal)?.screen ?? null
  const { screen: text, device } = useToolsText()
  return (
    <output>
      {screenShare === 'on' && (
        <div className={styles.request}>
          {screen !== null && <OwnScreen screen={screen} />}
          <strong>{text.sharing}</strong>
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

function OwnScreen({ screen }: { screen: VideoState }) {
  const video = useRef<HTMLVideoElement>(null)
  useEffect(
    () => (video.current === null ? undefined : screen.attach(video.current)),
    // oxlint-disable-next-line react/exhaustive-deps -- a screen is the same as long as its id is
    [screen.id],
  )
  // The words beside it say the same.
  return <video ref={video} className={own.screen} autoPlay playsInline muted aria-hidden="true" />
}
