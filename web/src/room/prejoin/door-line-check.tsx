import { useEffect, useState } from 'react'
import { Button } from '../../design/button.tsx'
import { CheckIcon, WarningIcon } from '../../design/icons.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import styles from './door-line-check.module.css'
import { checkLine, type DoorLine } from './door-line.ts'

/** A short look at the line before entering. Nobody is kept out by it. */
export function DoorLineCheck() {
  const [turn, setTurn] = useState(0)
  return <OneCheck key={turn} onAgain={() => setTurn((before) => before + 1)} />
}

function OneCheck({ onAgain }: { onAgain: () => void }) {
  const text = useToolsText().door
  const [line, setLine] = useState<DoorLine | 'checking'>('checking')
  useEffect(() => {
    const away = new AbortController()
    void checkLine(away.signal).then((found) => {
      if (!away.signal.aborted) setLine(found)
    })
    return () => away.abort()
  }, [])

  const isTrouble = line === 'slow' || line === 'failed'
  return (
    <div className={styles.line} data-line={line}>
      {line === 'good' && <CheckIcon />}
      {isTrouble && <WarningIcon />}
      <output aria-label={text.label}>{text[line]}</output>
      {isTrouble && (
        <Button size="small" onPress={onAgain}>
          {text.again}
        </Button>
      )}
    </div>
  )
}
