import {
  DEFAULT_ENGINE,
  DEFAULT_LANGUAGE,
  SESSION_NAME_MAX,
  TRANSCRIPTION_LANGUAGES,
} from '@interview-room/contract/limits.ts'
import type { RoomBody } from '@interview-room/contract/rooms.ts'
import {
  ARCHIVE_MODES,
  ARCHIVE_RESOLUTIONS,
  TRANSCRIPTION_ENGINES,
} from '@interview-room/contract/vocabulary.ts'
import { useState } from 'react'
import { Button } from '../../design/button.tsx'
import { Panel } from '../../design/panel.tsx'
import { languageName } from '../../i18n/language-name.ts'
import { useLocale } from '../../i18n/language.tsx'
import { useAction } from '../../pages/use-action.ts'
import styles from './book-form.module.css'
import { NumberField, SelectField, TextField } from './fields.tsx'
import { useRecordingsText } from './recordings/text.ts'
import { useEngineOptions } from './recordings/use-engine-options.ts'
import { type Booking, useTenantApi } from './tenant-api.ts'
import { useText } from './text.ts'

const LONGEST_MIN = 24 * 60

/** The values of the fields. */
interface Draft {
  name: string | undefined
  startsInMin: string
  minutes: string
  mode: string
  resolution: string
  language: string
  engine: string
}

const DRAFT: Draft = {
  name: undefined,
  startsInMin: '0',
  minutes: '60',
  mode: 'always',
  resolution: '640x480',
  language: DEFAULT_LANGUAGE,
  engine: DEFAULT_ENGINE,
}

interface PartProps {
  draft: Draft
  onChange: (change: Partial<Draft>) => void
}

/** Books an interview. By default it can be entered immediately, so one press is enough. */
export function BookForm({ onBooked }: { onBooked: (room: RoomBody) => void }) {
  const text = useText()
  const [draft, setDraft] = useState(DRAFT)
  const tenant = useTenantApi()
  const { isBusy, error, run } = useAction()
  const onChange = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }))

  async function book(): Promise<void> {
    const booking = bookingOf(draft, text.book.defaultName)
    await run(async () => onBooked(await tenant.book(booking)))
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
        <SlotFields draft={draft} onChange={onChange} />
        <RecordingFields draft={draft} onChange={onChange} />
        <div className={styles.wide}>
          <Button type="submit" look="primary" isPending={isBusy}>
            {isBusy ? text.book.submitting : text.book.submit}
          </Button>
          {error !== null && <p role="alert">{text.error.failed}</p>}
        </div>
      </form>
    </Panel>
  )
}

function SlotFields({ draft, onChange }: PartProps) {
  const text = useText().book
  return (
    <>
      <TextField
        className={styles.wide}
        label={text.name}
        value={draft.name ?? text.defaultName}
        maxLength={SESSION_NAME_MAX}
        onChange={(name) => onChange({ name })}
      />
      <NumberField
        label={text.startsIn}
        value={draft.startsInMin}
        min={0}
        max={LONGEST_MIN}
        onChange={(startsInMin) => onChange({ startsInMin })}
      />
      <NumberField
        label={text.minutes}
        value={draft.minutes}
        min={1}
        max={LONGEST_MIN}
        onChange={(minutes) => onChange({ minutes })}
      />
    </>
  )
}

function RecordingFields({ draft, onChange }: PartProps) {
  const text = useRecordingsText().book
  const locale = useLocale()
  const engines = useEngineOptions()
  return (
    <>
      <SelectField
        label={text.mode}
        value={draft.mode}
        options={ARCHIVE_MODES.map((mode) => [mode, text.modes[mode]])}
        onChange={(mode) => onChange({ mode })}
      />
      <SelectField
        label={text.resolution}
        value={draft.resolution}
        options={ARCHIVE_RESOLUTIONS.map((size) => [size, size.replace('x', ' × ')])}
        onChange={(resolution) => onChange({ resolution })}
      />
      <SelectField
        label={text.language}
        className={styles.wide}
        value={draft.language}
        options={TRANSCRIPTION_LANGUAGES.map((code) => [code, languageName(code, locale)])}
        onChange={(language) => onChange({ language })}
      />
      <SelectField
        label={text.engine}
        className={styles.wide}
        value={draft.engine}
        options={engines}
        onChange={(engine) => onChange({ engine })}
      />
    </>
  )
}

function bookingOf(draft: Draft, defaultName: string): Booking {
  return {
    name: draft.name ?? defaultName,
    startsInMin: Number(draft.startsInMin),
    minutes: Number(draft.minutes),
    archive_mode: ARCHIVE_MODES.find((each) => each === draft.mode) ?? 'always',
    archive_resolution: ARCHIVE_RESOLUTIONS.find((each) => each === draft.resolution) ?? '640x480',
    transcription_language: draft.language,
    transcription_service:
      TRANSCRIPTION_ENGINES.find((each) => each === draft.engine) ?? DEFAULT_ENGINE,
  }
}
