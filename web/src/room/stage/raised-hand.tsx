import { Button } from 'react-aria-components'
import { HandIcon } from '../../design/icons.tsx'
import { usePeopleText } from '../../i18n/people-text.ts'
import { useRequest } from '../tools/use-request.ts'
import styles from './raised-hand.module.css'

interface RaisedHandProps {
  identity: string
  name: string
  /** True for a moderator, who lowers the hand by a press. */
  mayLower: boolean
}

/** The sign of a raised hand on a tile. */
export function RaisedHand({ identity, name, mayLower }: RaisedHandProps) {
  const text = usePeopleText()
  const { status, post } = useRequest()
  if (!mayLower) {
    return (
      <span className={styles.hand} title={text.handUp}>
        <Sign label={text.handUp} />
      </span>
    )
  }
  const path = `/participants/${encodeURIComponent(identity)}/lower-hand` as const
  return (
    <Button
      className={styles.hand ?? ''}
      aria-label={text.lowerHandOf(name)}
      onPress={() => {
        if (status !== 'sending') void post<'lowerHand'>(path)
      }}
    >
      <Sign label={text.handUp} />
      <span className="visually-hidden" role="alert">
        {status === 'failed' ? text.failed : ''}
      </span>
    </Button>
  )
}

function Sign({ label }: { label: string }) {
  return (
    <>
      <HandIcon />
      <span>{label}</span>
    </>
  )
}
