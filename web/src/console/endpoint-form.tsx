import { WEBHOOK_DESCRIPTION_MAX, WEBHOOK_URL_MAX } from '@interview-room/contract/limits.ts'
import type { WebhookEndpointRequest } from '@interview-room/contract/webhook-management.ts'
import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { Panel } from '../design/panel.tsx'
import { useAction } from '../pages/use-action.ts'
import { useConsole } from './console-context.ts'
import { useText } from './console-text.ts'
import styles from './console.module.css'
import { Problem } from './list-panel.tsx'

type SubscribedType = NonNullable<WebhookEndpointRequest['event_types']>[number]

/** The type makes the list complete: a new webhook that is missing here does not compile. */
const TYPES = Object.keys({
  'participant.entered': true,
  'recording.status_changed': true,
  'connection_test.completed': true,
  'transcription.completed': true,
  'processed_recording.status_changed': true,
  'clip.status_changed': true,
  'reel.status_changed': true,
} satisfies Record<SubscribedType, true>) as SubscribedType[]

interface EndpointFormProps {
  onCreated: (created: { url: string; secret: string }) => void
}

export function EndpointForm({ onCreated }: EndpointFormProps) {
  const { api } = useConsole()
  const text = useText().endpoints
  const [url, setUrl] = useState('')
  const [description, setDescription] = useState('')
  const [types, setTypes] = useState<readonly SubscribedType[]>([])
  const { isBusy, error, run } = useAction()

  async function create(): Promise<void> {
    const isDone = await run(async () => {
      const body = {
        url: url.trim(),
        ...(description.trim() !== '' && { description: description.trim() }),
        ...(types.length > 0 && { event_types: [...types] }),
      }
      onCreated(await api<'createWebhookEndpoint'>('POST', '/webhook-endpoints', { body }))
    })
    if (!isDone) return
    setUrl('')
    setDescription('')
  }

  return (
    <Panel title={text.newTitle}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void create()
        }}
      >
        <label>
          {text.url}
          <input
            type="url"
            required
            maxLength={WEBHOOK_URL_MAX}
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
        </label>
        <label>
          {text.newDescription}
          <input
            maxLength={WEBHOOK_DESCRIPTION_MAX}
            value={description}
            onChange={(event) => setDescription(event.target.value)}
          />
        </label>
        <TypeChoices types={types} onChange={setTypes} />
        <div className={styles.wide}>
          <Button type="submit" look="primary" isPending={isBusy}>
            {text.create}
          </Button>
          <Problem error={error} />
        </div>
      </form>
    </Panel>
  )
}

interface TypeChoicesProps {
  types: readonly SubscribedType[]
  onChange: (types: readonly SubscribedType[]) => void
}

function TypeChoices({ types, onChange }: TypeChoicesProps) {
  const text = useText().endpoints
  return (
    <fieldset className={styles.choices}>
      <legend>{text.typesLabel}</legend>
      {TYPES.map((type) => (
        <label key={type}>
          <input
            type="checkbox"
            checked={types.includes(type)}
            onChange={({ target }) =>
              onChange(
                TYPES.filter((each) => (each === type ? target.checked : types.includes(each))),
              )
            }
          />
          <code>{type}</code>
        </label>
      ))}
    </fieldset>
  )
}
