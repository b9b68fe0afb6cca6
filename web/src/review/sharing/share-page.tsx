import { useCallback, useEffect, useState } from 'react'
import { Button } from '../../design/button.tsx'
import { Form } from '../../design/form.tsx'
import { LinkIcon } from '../../design/icons.tsx'
import { TextField } from '../../design/text-field.tsx'
import { useShareText } from '../../i18n/share-text.ts'
import { MessagePage } from '../../pages/message-page.tsx'
import { EndedPage, LoadingPage } from '../closed-pages.tsx'
import { useText } from '../review-text.ts'
import { type Opening, openShare, type ShareLink } from './share-link.ts'
import styles from './share-page.module.css'

type Opened = Extract<Opening, { state: 'open' }>['share']
type Answers = Parameters<typeof openShare>[1]

interface SharePageProps {
  link: ShareLink
  /** Shows what the link opens, in place of this page. */
  onOpened: (share: Opened) => void
}

/** Opens a link, after the questions that it asks. */
export function SharePage({ link, onOpened }: SharePageProps) {
  const { asks } = link
  const mustAsk = asks.password || asks.name
  const [opening, setOpening] = useState<Exclude<Opening, { state: 'open' }> | null>(null)
  const [isBusy, setIsBusy] = useState(!mustAsk)

  const take = useCallback(
    (next: Opening) => {
      setIsBusy(false)
      if (next.state === 'open') onOpened(next.share)
      else setOpening(next)
    },
    [onOpened],
  )
  useEffect(() => {
    if (!mustAsk) void openShare(link, {}).then(take)
  }, [mustAsk, link, take])

  function open(answers: Answers): void {
    setIsBusy(true)
    void openShare(link, answers).then(take)
  }

  if (opening?.state === 'ended') return <EndedPage />
  const isAsked = mustAsk || opening?.state === 'asking'
  if (!isAsked) return <LoadingPage isOffline={opening?.state === 'offline'} />
  return <Gate asks={asks} opening={opening} isBusy={isBusy} onOpen={open} />
}

interface GateProps extends Pick<ShareLink, 'asks'> {
  opening: Exclude<Opening, { state: 'open' }> | null
  isBusy: boolean
  onOpen: (answers: Answers) => void
}

function Gate({ asks, opening, isBusy, onOpen }: GateProps) {
  const text = useShareText().gate
  const [password, setPassword] = useState('')
  const [name, setName] = useState('')
  const problem = useProblem(opening)
  const needsPassword = asks.password || opening?.state === 'asking'
  return (
    <MessagePage icon={<LinkIcon />} title={text.title} body={text.body}>
      <Form
        className={styles.form}
        onSubmit={() => {
          if (isBusy) return
          onOpen({
            ...(password !== '' && { password }),
            ...(name.trim() !== '' && { name: name.trim() }),
          })
        }}
      >
        {needsPassword && (
          <TextField
            label={text.password}
            type="password"
            required
            value={password}
            onChange={setPassword}
          />
        )}
        {asks.name && (
          <TextField
            label={text.name}
            maxLength={255}
            autoComplete="name"
            value={name}
            onChange={setName}
          />
        )}
        {problem !== null && <p role="alert">{problem}</p>}
        <Button type="submit" look="primary" size="large" isPending={isBusy}>
          {text.open}
        </Button>
      </Form>
    </MessagePage>
  )
}

function useProblem(opening: GateProps['opening']): string | null {
  const text = useShareText().gate
  const { problems } = useText()
  if (opening === null || opening.state === 'ended') return null
  if (opening.state === 'asking') return text[opening.problem]
  return opening.state === 'offline' ? problems.offline : problems.tooFast
}
