import { useEffect, useRef, useState } from 'react'
import type { CallConnection } from '../../connection/call-connection.ts'
import type { DeviceState } from '../../connection/call-state.ts'
import { Button } from '../../design/button.tsx'
import { MicrophoneIcon } from '../../design/icons.tsx'
import { useLiveState } from '../../live/use-live.tsx'
import { useToolsText } from '../tools/tools-text.ts'
import styles from './mute-request.module.css'

interface MuteRequestProps {
  call: CallConnection
  microphone: DeviceState
}

/** Mutes the microphone when the moderator asks for it, and says so until it is on again. */
export function MuteRequest({ call, microphone }: MuteRequestProps) {
  const text = useToolsText().muteRequest
  const count = useLiveState((state) => state.muteRequestCount)
  const done = useRef(0)
  const [dismissedCount, setDismissedCount] = useState(0)
  useEffect(() => {
    if (count === done.current) return
    done.current = count
    if (microphone !== 'off') void call.setMicrophone(false)
  }, [call, count, microphone])

  const isShown = count > dismissedCount && microphone === 'off'
  return (
    <div role="alert">
      {isShown && (
        <div className={styles.request} data-testid="mute-request">
          <MicrophoneIcon isOff />
          <div>
            <strong>{text.title}</strong>
            <p>{text.hint}</p>
          </div>
          <Button size="small" onPress={() => setDismissedCount(count)}>
            {text.dismiss}
          </Button>
        </div>
      )}
    </div>
  )
}
