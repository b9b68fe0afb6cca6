import type { Person as Present } from '@interview-room/contract/live-stream.ts'
import { ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import type { ReactNode } from 'react'
import type { Person } from '../../connection/call-state.ts'
import { HandIcon } from '../../design/icons.tsx'
import { LastTest } from '../../design/last-test.tsx'
import { useChatText } from '../../i18n/chat-text.ts'
import { useConsentText } from '../../i18n/consent-text.ts'
import { usePeopleText } from '../../i18n/people-text.ts'
import { useLive, useLiveState } from '../../live/use-live.tsx'
import { EveryoneActions } from './everyone-actions.tsx'
import { QualityLabel } from './quality-label.tsx'
import { qualityOf } from './quality-of.ts'
import styles from './roster-panel.module.css'

const ORDER: readonly Role[] = ROLES.toSorted((one, other) => rank(one) - rank(other))

interface RosterPanelProps {
  canModerate: boolean
  /** The people in the media room, with the state of their connection. */
  people: readonly Person[]
  /** The actions on one person. */
  actions?: (person: Present) => ReactNode
}

/** The people in the room by role, as far as the viewer may know. */
export function RosterPanel({ people, actions, canModerate }: RosterPanelProps) {
  const text = useChatText().roster
  const roster = useLiveState((state) => state.roster)
  const stream = useLiveState((state) => state.stream)
  const groups = ORDER.map((role) => ({ role, here: roster.filter((each) => each.role === role) }))
  return (
    <div className={styles.roster}>
      <header>
        <h2>{text.title}</h2>
        {stream === 'reconnecting' && <p>{text.stale}</p>}
        {canModerate && <EveryoneActions />}
      </header>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard */}
      <section className={styles.scroll} tabIndex={0} aria-label={text.title}>
        {roster.length === 0 && <p className={styles.nobody}>{text.nobody}</p>}
        {groups
          .filter(({ here }) => here.length > 0)
          .map(({ role, here }) => (
            <div key={role} className={styles.group}>
              <h3>
                <span>{text.role[role]}</span> <span className={styles.count}>{here.length}</span>
              </h3>
              <ul>
                {here.map((person) => (
                  <Row
                    key={person.identity}
                    person={person}
                    media={people.find(({ identity }) => identity === person.identity)}
                    actions={actions?.(person)}
                  />
                ))}
              </ul>
            </div>
          ))}
      </section>
    </div>
  )
}

interface RowProps {
  person: Present
  media: Person | undefined
  actions: ReactNode
}

function Row({ person, media, actions }: RowProps) {
  const text = useChatText()
  const { inSpotlight, mayShareScreen } = usePeopleText()
  const isInSpotlight = useLiveState((state) => state.spotlight === person.identity)
  const { participantId } = useLive()
  const isMe = media?.isLocal ?? (participantId !== null && person.participant_id === participantId)
  const isOnStage = person.role === 'moderator' || person.role === 'panelist'
  const isWithoutMedia = isOnStage && media === undefined
  const line = qualityOf(person, media)
  return (
    <li className={styles.person}>
      <span className={styles.name}>
        <strong dir="auto">{person.display_name}</strong>
        {isMe && <small>{text.you}</small>}
      </span>
      {person.has_hand_raised && (
        <span className={styles.hand}>
          <HandIcon />
          {text.roster.hand}
        </span>
      )}
      {isInSpotlight && <span className={styles.spotlight}>{inSpotlight}</span>}
      {person.may_share_screen === true && (
        <span className={styles.spotlight}>{mayShareScreen}</span>
      )}
      {isWithoutMedia && <span className={styles.noMedia}>{text.roster.noMedia}</span>}
      {!isWithoutMedia && line !== undefined && (
        <span className={styles.line}>
          <QualityLabel quality={line} isSpelled />
        </span>
      )}
      <ConsentLabel person={person} />
      {person.last_test !== null && person.last_test !== undefined && (
        <span className={styles.test}>
          <LastTest test={person.last_test} />
        </span>
      )}
      {actions}
    </li>
  )
}

function rank(role: Role): number {
  return ['panelist', 'moderator', 'observer', 'platform_observer'].indexOf(role)
}

/** The state of a panelist's consent to the recording, for staff. */
function ConsentLabel({ person }: { person: Present }) {
  const text = useConsentText().staff.state
  const state = person.consents?.recording
  if (state === undefined || state === 'not_asked') return null
  return <span className={styles.test}>{text[state]}</span>
}
