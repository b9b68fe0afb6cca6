import { TRANSCRIPT_LINE_MAX } from '@interview-room/contract/limits.ts'
import { useMemo, useState } from 'react'
import { Button } from '../../design/button.tsx'
import { Form } from '../../design/form.tsx'
import { markedPieces } from '../../design/marked-pieces.ts'
import { Select } from '../../design/select.tsx'
import { TextField } from '../../design/text-field.tsx'
import { useAction } from '../../pages/use-action.ts'
import type { TranscriptLine } from '../../player/vtt.ts'
import { FormButtons } from '../form-buttons.tsx'
import { Problem } from '../problem.tsx'
import { ReviewError } from '../review-api.ts'
import { useText } from '../review-text.ts'
import { useStudy } from '../study-context.ts'
import styles from './correct-lines.module.css'

/** Saves changed lines as a revision. The newest are shown afterwards, also if somebody else was faster. */
function useCorrection(change: (lines: readonly TranscriptLine[]) => readonly TranscriptLine[]) {
  const { api, transcripts } = useStudy()
  const { run, ...action } = useAction()
  const { shown, revision, lines } = transcripts
  const save = async () =>
    run(async () => {
      const changed = change(lines.data ?? [])
      try {
        await api.correct(shown?.id ?? '', revision ?? 0, changed)
      } finally {
        await lines.reload()
      }
    })
  return { ...action, save }
}

/** A voice without a person is its name after a space, with which no id begins. */
const voiceOf = ({ personId, speaker }: TranscriptLine) => personId ?? ` ${speaker ?? ''}`

const timesOf = ({ startSec, endSec }: TranscriptLine) => `${startSec} ${endSec}`

/** Corrects a line: its text, and who speaks. Enter saves, Escape leaves. */
export function EditLine({ line, onClose }: { line: TranscriptLine; onClose: () => void }) {
  const text = useText()
  const { activity } = useStudy()
  const [said, setSaid] = useState(line.text)
  const [voice, setVoice] = useState(voiceOf(line))
  const [isForAll, setIsForAll] = useState(false)
  const people = (activity.data?.people ?? []).flatMap(
    ({ participant_id: id, display_name: name, role }) =>
      id === null ? [] : [{ id, name, label: text.personInRole(name, text.roles[role]) }],
  )
  const { isBusy, error, save } = useCorrection((lines) => {
    const isNamed = voice.startsWith(' ')
    const speaker = isNamed ? voice.trim() || null : people.find(({ id }) => id === voice)?.name
    const named = speaker === undefined ? {} : { speaker, personId: isNamed ? null : voice }
    const sameTimes = lines.filter((each) => timesOf(each) === timesOf(line))
    const found = sameTimes.find((each) => voiceOf(each) === voiceOf(line)) ?? sameTimes[0]
    if (found === undefined) throw new ReviewError('PRECONDITION_FAILED')
    return lines.map((each) => {
      if (each === found) return { ...each, ...named, text: said }
      return isForAll && voiceOf(each) === voiceOf(line) ? { ...each, ...named } : each
    })
  })
  const submit = async () => (await save()) && onClose()
  const rename = (given: string) => setVoice(` ${given}`)
  const { correction, person, otherName, name, allOfVoice, said: label } = text.transcript
  return (
    <Form className={styles.form} aria-label={correction} onSubmit={submit}>
      <TextField
        label={label}
        value={said}
        maxLength={TRANSCRIPT_LINE_MAX}
        ref={focus}
        onChange={setSaid}
        onKeyDown={({ key, nativeEvent }) => {
          if (key === 'Escape' && !nativeEvent.isComposing) onClose()
        }}
      />
      <Select
        label={person}
        placeholder={line.speaker ?? ''}
        value={voice.startsWith(' ') ? ' ' : voice}
        options={[...people, { id: ' ', label: otherName }]}
        onChange={setVoice}
      />
      {voice.startsWith(' ') && (
        <TextField label={name} value={voice.slice(1)} maxLength={255} onChange={rename} />
      )}
      <label className={styles.all}>
        <input type="checkbox" checked={isForAll} onChange={() => setIsForAll(!isForAll)} />
        <span>{allOfVoice}</span>
      </label>
      <Problem error={error} />
      <FormButtons label={text.transcript.save} isBusy={isBusy} onCancel={onClose} />
    </Form>
  )
}

const focus = (field: HTMLInputElement | null) => field?.focus()

const NO_LINES: readonly TranscriptLine[] = []

/** Replaces what the search marks, in all lines at once. */
export function ReplaceWords({ words }: { words: string }) {
  const { replaceWith, replaceAll } = useText().transcript
  const lines = useStudy().transcripts.lines.data ?? NO_LINES
  const [by, setBy] = useState('')
  const marked = useMemo(() => lines.map((line) => markedPieces(line.text, words)), [lines, words])
  const count = marked.flat().filter(({ isHit }) => isHit).length
  const textAt = (at: number) => marked[at]?.map(({ isHit, text }) => (isHit ? by : text)).join('')
  const { isBusy, error, save } = useCorrection((all) =>
    all.map((line, at) => ({ ...line, text: textAt(at) ?? line.text })),
  )
  return (
    <Form className={styles.form} aria-label={replaceWith} onSubmit={save}>
      <TextField label={replaceWith} value={by} onChange={setBy} />
      <Button size="small" type="submit" isPending={isBusy} isDisabled={count === 0}>
        {replaceAll(count)}
      </Button>
      <Problem error={error} />
    </Form>
  )
}
