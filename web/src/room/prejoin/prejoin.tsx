import type { AdmissionCheckBody } from '@interview-room/contract/admission-check.ts'
import { DISPLAY_NAME_MAX } from '@interview-room/contract/limits.ts'
import { useRef, useState } from 'react'
import type { CallConnection } from '../../connection/call-connection.ts'
import type { JoinChoice } from '../../connection/call-tools.ts'
import type { Credential } from '../../connection/live-api.ts'
import { PageShell } from '../../design/page-shell.tsx'
import { headingOfPage, useFocusKept } from '../../design/use-focus-kept.ts'
import { useFocusOnArrival } from '../../design/use-focus-on-arrival.ts'
import { useConsentText } from '../../i18n/consent-text.ts'
import { useText } from '../../i18n/text.ts'
import { ConnectionCheck } from './connection-check.tsx'
import type { EntryLink } from './entry-link.ts'
import { InterviewFacts, InterviewNotes } from './interview-info.tsx'
import { ListenerCheck } from './listener-check.tsx'
import styles from './prejoin.module.css'
import { PublisherCheck } from './publisher-check.tsx'
import { RespondentTests } from './respondent-tests.tsx'
import { typedName } from './typed-name.ts'

interface PrejoinProps {
  link: EntryLink
  call: CallConnection
  preview: AdmissionCheckBody
}

/** The device check. Nobody enters before Join is pressed. */
export function Prejoin({ link, call, preview }: PrejoinProps) {
  const text = useText()
  const { label: infoLabel } = useConsentText().info
  const main = useRef<HTMLElement>(null)
  useFocusKept(main, headingOfPage)
  const [name, setName] = useState(link.name)
  const needsName = link.secret?.kind === 'access'
  const isListener = link.role === 'observer' || link.role === 'platform_observer'

  function join(choice: Omit<JoinChoice, 'credential'>): void {
    const credential = credentialOf(link, name)
    if (credential !== null) void call.join({ ...choice, credential })
  }

  const canJoin = !needsName || typedName(name) !== undefined
  const check = { canJoin, onJoin: join }
  const about = (
    <div className={styles.about}>
      <Title link={link} preview={preview} />
      <InterviewFacts preview={preview} isWhole={false} />
      {needsName ? (
        <NameField name={name} onChange={setName} />
      ) : (
        name !== '' && <p className={styles.as}>{text.prejoin.as(name)}</p>
      )}
      <ConnectionCheck />
    </div>
  )
  return (
    <PageShell productName={text.productName}>
      <main className={styles.main} ref={main} data-listener={isListener}>
        {isListener ? (
          <ListenerCheck {...check}>{about}</ListenerCheck>
        ) : (
          <PublisherCheck {...check}>{about}</PublisherCheck>
        )}
        <section className={styles.facts} aria-label={infoLabel}>
          <InterviewNotes preview={preview} />
          <RespondentTests link={link} />
        </section>
      </main>
    </PageShell>
  )
}

/** The interview's name, if the tenant gave it one. */
function Title({ link: { role }, preview }: Pick<PrejoinProps, 'link' | 'preview'>) {
  const text = useText()
  const heading = useFocusOnArrival()
  const isListener = role === 'observer' || role === 'platform_observer'
  const task = isListener ? text.observer.title[role] : text.prejoin.title
  const name = preview.session?.name ?? undefined
  return (
    <div className={styles.intro}>
      {name !== undefined && <p>{task}</p>}
      <h1 ref={heading} tabIndex={-1}>
        <bdi>{name ?? task}</bdi>
      </h1>
      <p>{isListener ? text.observer.lead : text.prejoin.lead}</p>
    </div>
  )
}

function NameField({ name, onChange }: { name: string; onChange: (name: string) => void }) {
  const text = useText().prejoin
  return (
    <label className={styles.name}>
      <span>{text.nameLabel}</span>
      <input
        value={name}
        onChange={(event) => onChange(event.target.value)}
        maxLength={DISPLAY_NAME_MAX}
        autoComplete="name"
        required
        aria-describedby="name-hint"
      />
      <small id="name-hint">{text.nameHint}</small>
    </label>
  )
}

function credentialOf({ secret }: EntryLink, typed: string): Credential | null {
  if (secret === null) return null
  if (secret.kind === 'token') return { kind: 'token', token: secret.value }
  const name = typedName(typed)
  return name === undefined ? null : { kind: 'access', accessToken: secret.value, name }
}
