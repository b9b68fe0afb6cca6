import type { CallConnection } from '../../connection/call-connection.ts'
import type { Scene } from '../../connection/call-state.ts'
import { Button } from '../../design/button.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import styles from './call-page.module.css'

interface DeviceReplacedProps {
  call: CallConnection
  replaced: Scene['replaced']
}

/** Says which device took the place of one that was unplugged. */
export function DeviceReplaced({ call, replaced }: DeviceReplacedProps) {
  const text = useToolsText().device
  return (
    <div role="alert">
      {replaced !== null && (
        <p className={styles.hint}>
          <span>{text.replaced[replaced.kind](replaced.label)}</span>{' '}
          <Button size="small" onPress={() => call.dismissReplaced()}>
            {text.dismiss}
          </Button>
        </p>
      )}
    </div>
  )
}
