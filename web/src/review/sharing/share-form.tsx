import { SHARE_PASSWORD_MAX, SHARE_PASSWORD_MIN } from '@interview-room/contract/limits.ts'
import type { ShareBody } from '@interview-room/contract/shares.ts'
import { useState } from 'react'
import { Button } from '../../design/button.tsx'
import { Form } from '../../design/form.tsx'
import { Select } from '../../design/select.tsx'
import { TextField } from '../../design/text-field.tsx'
import { useShareText } from '../../i18n/share-text.ts'
import { useAction } from '../../pages/use-action.ts'
import { nameOf } from '../clip-name.ts'
import { Problem } from '../problem.tsx'
import { useStudy } from '../study-context.ts'
import styles from './share-dialog.module.css'

const DAY_SEC = 24 * 60 * 60
const DAYS = [1, 7, 30] as const
const RECORDING = 'recording'
const MORE = ['comment', 'download'] as const
type More = (typeof MORE)[number]
const PASSWORD = {
  type: 'password',
  autoComplete: 'new-password',
  minLength: SHARE_PASSWORD_MIN,
  maxLength: SHARE_PASSWORD_MAX,
}

interface ShareFormProps {
  /** Chosen at first: the id of a clip or a reel. */
  what?: string | undefined
  onMade: (share: ShareBody) => void
}

/** A new link. Only what the viewer may is offered. */
export function ShareForm({ what: first = RECORDING, onMade }: ShareFormProps) {
  const text = useShareText()
  const { api, may, recording, reels } = useStudy()
  const [what, setWhat] = useState(first)
  const [more, setMore] = useState<readonly More[]>([])
  const [days, setDays] = useState<number>(DAYS[1])
  const [password, setPassword] = useState('')
  const { isBusy, error, run } = useAction()
  const subjects = useSubjects()
  const reel = reels.data?.find(({ id }) => id === what)
  const isClip = what !== RECORDING && reel === undefined
  const offered = what !== RECORDING ? [] : MORE.filter((ability) => may(ability))

  async function submit(): Promise<void> {
    await run(async () => {
      const share = await api.share(recording.id, {
        ...(isClip && { clip_id: what }),
        ...(reel !== undefined && { reel_id: what }),
        may: ['watch', ...offered.filter((ability) => more.includes(ability))],
        expires_in_seconds: days * DAY_SEC,
        ...(password !== '' && { password }),
      })
      setPassword('')
      onMade(share)
    })
  }

  return (
    <Form className={styles.form} onSubmit={submit}>
      <Select
        label={text.what}
        placeholder={text.recording}
        value={what}
        options={subjects}
        onChange={setWhat}
      />
      <Abilities offered={offered} chosen={more} onChange={setMore} />
      <Select
        label={text.lasts}
        placeholder={text.days(days)}
        value={String(days)}
        options={DAYS.map((each) => ({ id: String(each), label: text.days(each) }))}
        onChange={(id) => setDays(Number(id))}
      />
      <TextField label={text.password} value={password} onChange={setPassword} {...PASSWORD} />
      <Problem error={error} />
      <Button type="submit" look="primary" isPending={isBusy}>
        {text.make}
      </Button>
    </Form>
  )
}

/** Everything that can be shared: the recording, its clips, and the reels that show it. */
function useSubjects() {
  const text = useShareText()
  const { clips, recording, reels } = useStudy()
  return [
    { id: RECORDING, label: text.recording },
    ...(clips.data ?? []).map((clip) => ({ id: clip.id, label: text.clip(nameOf(clip)) })),
    ...(reels.data ?? [])
      .filter(({ recording_ids: ids }) => ids.includes(recording.id))
      .map(({ id, title }) => ({ id, label: text.reel(title ?? '') })),
  ]
}

interface AbilitiesProps {
  offered: readonly More[]
  chosen: readonly More[]
  onChange: (chosen: readonly More[]) => void
}

/** Everybody with the link can watch. The rest is chosen. */
function Abilities({ offered, chosen, onChange }: AbilitiesProps) {
  const text = useShareText()
  return (
    <fieldset>
      <legend>{text.may}</legend>
      <label>
        <input type="checkbox" checked disabled />
        <span>{text.abilities.watch}</span>
      </label>
      {offered.map((ability) => (
        <label key={ability}>
          <input
            type="checkbox"
            checked={chosen.includes(ability)}
            onChange={({ target }) => {
              const others = chosen.filter((each) => each !== ability)
              onChange(target.checked ? [...others, ability] : others)
            }}
          />
          <span>{text.abilities[ability]}</span>
        </label>
      ))}
    </fieldset>
  )
}
