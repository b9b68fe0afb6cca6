import { SESSION_NAME_MAX } from '@interview-room/contract/limits.ts'
import type { RoomBody } from '@interview-room/contract/rooms.ts'
import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { Panel } from '../design/panel.tsx'
import styles from './book-form.module.css'
import { playgroundApi } from './playground-api.ts'
import { useText } from './text.ts'

const LONGEST_MIN = 24 * 60

/** An interview that can be entered at once, unless told otherwise: one press is enough. */
export function BookForm({ onBooked }: { onBooked: (room: RoomBody) => void }) {
  const text = useText()
  const [name, setName] = useState<string>()
  const [startsInMin, setStartsInMin] = useState('0')
  const [minutes, setMinutes] = useState('60')
  const [status, setStatus] = useState<'idle' | 'sending' | 'failed'>('idle')

  async function book(): Promise<void> {
    setStatus('sending')
    try {
      const booking = {
        name: name ?? text.book.defaultName,
        starts_in_min: Number(startsInMin),
        minutes: Number(minutes),
      }
      onBooked((await playgroundApi.book(booking)).room)
      setStatus('idle')
    } catch {
      setStatus('failed')
    }
  }

  return (
    <Panel title={text.book.title}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void book()
        }}
      >
        <label className={styles.wide}>
          {text.book.name}
          <input
            value={name ?? text.book.defaultName}
            maxLength={SESSION_NAME_MAX}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <NumberField
          label={text.book.startsIn}
          value={startsInMin}
          min={0}
          onChange={setStartsInMin}
        />
        <NumberField label={text.book.minutes} value={minutes} min={1} onChange={setMinutes} />
        <div className={styles.wide}>
          <Button
            type="submit"
            look="primary"
            data-testid="book-button"
            isPending={status === 'sending'}
          >
            {status === 'sending' ? text.book.submitting : text.book.submit}
          </Button>
          {status === 'failed' && <p role="alert">{text.error.failed}</p>}
        </div>
      </form>
    </Panel>
  )
}

interface NumberFieldProps {
  label: string
  value: string
  min: number
  onChange: (value: string) => void
}

function NumberField({ label, value, min, onChange }: NumberFieldProps) {
  return (
    <label>
      {label}
      <input
        type="number"
        inputMode="numeric"
        required
        min={min}
        max={LONGEST_MIN}
        step={1}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
}
