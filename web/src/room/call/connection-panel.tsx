import { Button as AriaButton, Dialog, DialogTrigger, Heading } from 'react-aria-components'
import type { CallConnection } from '../../connection/call-connection.ts'
import type { InRoom } from '../../connection/call-state.ts'
import { Badge } from '../../design/badge.tsx'
import { Button } from '../../design/button.tsx'
import { useText } from '../../i18n/text.ts'
import { useToolsText } from '../../i18n/tools-text.ts'
import { useLiveState } from '../../live/use-live.tsx'
import { QualityLabel } from '../roster/quality-label.tsx'
import { RoomPopover } from '../tools/room-popover.tsx'
import header from './call-header.module.css'
import styles from './connection-panel.module.css'

interface ConnectionPanelProps {
  call: CallConnection
  state: InRoom
}

/** The connection quality. When it is opened, it explains the problem and the remedy. */
export function ConnectionPanel({ call, state }: ConnectionPanelProps) {
  const { phase } = state
  const words = useText().call
  const text = useToolsText().line
  return (
    <DialogTrigger>
      <AriaButton className={styles.open ?? ''} aria-description={text.open}>
        <Badge tone={phase === 'live' ? 'good' : 'warn'}>
          <i className={header.dot} data-state={phase} />
          <span className={header.state}>{phase === 'live' ? words.live : words.reconnecting}</span>
        </Badge>
      </AriaButton>
      <RoomPopover placement="bottom end" shape="panel">
        <Dialog className={styles.panel ?? ''}>
          <Heading slot="title" level={2}>
            {text.title}
          </Heading>
          <ConnectionAdvice call={call} state={state} />
        </Dialog>
      </RoomPopover>
    </DialogTrigger>
  )
}

function ConnectionAdvice({ call, state: { phase, scene } }: ConnectionPanelProps) {
  const text = useToolsText().line
  const isStreamCut = useLiveState(({ stream }) => stream === 'reconnecting')
  const { quality: mine } = scene
  const isMinePoor = phase === 'live' && (mine === 'poor' || mine === 'lost')
  const others = scene.people
    .filter(({ isLocal, quality }) => !isLocal && (quality === 'poor' || quality === 'lost'))
    .map(({ name }) => name)
  const isMineFine = phase === 'live' && !isMinePoor && !isStreamCut
  return (
    <>
      {phase === 'live' && (
        <p className={styles.mine}>
          <span>{text.yours}</span>
          <QualityLabel quality={mine} isSpelled />
        </p>
      )}
      {phase === 'reconnecting' && <p>{text.lost}</p>}
      {isMinePoor && <p>{text.poor}</p>}
      {isStreamCut && <p>{text.streamLost}</p>}
      {others.length > 0 && <p>{text.others(others.join(text.nameSeparator))}</p>}
      {isMineFine && others.length === 0 && <p>{text.fine}</p>}
      {!isMineFine && (
        <>
          <h3>{text.tipsTitle}</h3>
          <ul>
            <li>{text.tips.near}</li>
            <li>{text.tips.close}</li>
            {scene.camera === 'on' && <li>{text.tips.camera}</li>}
          </ul>
          {scene.camera === 'on' && (
            <Button onPress={() => void call.setCamera(false)}>{text.cameraOff}</Button>
          )}
        </>
      )}
    </>
  )
}
