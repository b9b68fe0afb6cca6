import type { ReactNode } from 'react'
import type { CallConnection } from '../../connection/call-connection.ts'
import type { Scene } from '../../connection/call-state.ts'
import { MuteRequest } from './mute-request.tsx'
import styles from './notices.module.css'
import { RecordingNotice } from './recording-notice.tsx'
import { RoomEventAlerts } from './room-event-alerts.tsx'
import { RoomNotices } from './room-notices.tsx'
import { ScreenShareNotice } from './screen-share-notice.tsx'
import { WaitingNotice } from './waiting-notice.tsx'

interface NoticesProps {
  call: CallConnection
  scene: Scene
  /** While false, the page says that it is reconnecting. */
  isMediaUp: boolean
  isAlone: boolean
  /** True if the person at this page has no tile. */
  isWatching: boolean
  children?: ReactNode
}

/** All notices over the videos, so that nothing moves when one appears or disappears. */
export function Notices(props: NoticesProps) {
  const { call, scene, isMediaUp, isAlone, isWatching, children } = props
  return (
    <div className={styles.notices}>
      <RecordingNotice />
      <RoomNotices isMediaUp={isMediaUp} />
      <ScreenShareNotice call={call} scene={scene} />
      <MuteRequest call={call} scene={scene} />
      <RoomEventAlerts isScreenShared={scene.screenShare === 'on'} />
      <div>{children}</div>
      <WaitingNotice isAlone={isAlone} isWatching={isWatching} />
    </div>
  )
}
