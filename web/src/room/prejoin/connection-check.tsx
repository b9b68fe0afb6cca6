import { useEffect, useState } from 'react'
import { Button } from '../../design/button.tsx'
import { CheckIcon, WarningIcon } from '../../design/icons.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import styles from './connection-check.module.css'
import { measureLatency, type ServiceLatency } from './service-latency.ts'

/** A short check of the connection before entering. It never prevents anybody from entering. */
export function ConnectionCheck() {
  const [turn, setTurn] = useState(0)
  return <OneCheck key={turn} onAgain={() => setTurn((before) => before + 1)} />
}

function OneCheck({ onAgain }: { onAgain: () => void }) {
  const text = useToolsText().connectionCheck
  const [latency, setLatency] = useState<ServiceLatency | 'checking'>('checking')
  useEffect(() => {
    const away = new AbortController()
    void measureLatency(away.signal).then((found) => {
      if (!away.signal.aborted) setLatency(found)
    })
    return () => away.abort()
  }, [])

  const isTrouble = latency === 'slow' || latency === 'failed'
  return (
    <div className={styles.connection} data-quality={latency}>
      {latency === 'good' && <CheckIcon />}
      {isTrouble && <WarningIcon />}
      <output aria-label={text.label}>{text[latency]}</output>
      {isTrouble && (
        <Button size="small" onPress={onAgain}>
          {text.again}
        </Button>
      )}
    </div>
  )
}
