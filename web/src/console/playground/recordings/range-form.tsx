import { type ReactNode, useId, useState } from 'react'
import { Button } from '../../../design/button.tsx'
import { useAction } from '../../use-action.ts'
import { NumberField } from '../fields.tsx'
import type { ListedRecording } from '../tenant-api.ts'
import { type Range, type RangeProblem, rangeProblem } from './range.ts'
import styles from './recordings.module.css'
import { useRecordingsText } from './text.ts'

const STEP_SEC = 0.1

interface RangeFormProps {
  recording: ListedRecording
  lead: string
  submit: string
  /** Requests something for the range. It throws if the request fails. */
  order: (range: Range) => Promise<void>
  /** Called after every answer, also after a refusal. */
  onChanged: () => void
  /** Fields above the range. */
  children?: ReactNode
}

/** A form for a range of a recording, from which something is made. */
export function RangeForm({
  recording,
  lead,
  submit: label,
  order,
  onChanged,
  children,
}: RangeFormProps) {
  const text = useRecordingsText()
  const range = useRange(recording)
  const { isBusy, error: refusal, run } = useAction()

  async function submit(): Promise<void> {
    const wanted = range.read()
    if (wanted === undefined) return
    await run(async () => order(wanted))
    onChanged()
  }

  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <p className={styles.lead}>{lead}</p>
      {children}
      <RangeFields {...range.fields} />
      <Button type="submit" isPending={isBusy}>
        {isBusy ? text.range.submitting : label}
      </Button>
      {range.problem !== null && (
        <p id={range.problem.id} role="alert">
          {range.problem.words}
        </p>
      )}
      {refusal !== null && <p role="alert">{text.refused}</p>}
    </form>
  )
}

interface RangeInput {
  fields: RangeFieldsProps
  /** The problem's id and words; null if the range is valid. */
  problem: { id: string; words: string } | null
  /** Returns the entered range. If it is invalid, returns undefined and shows the problem. */
  read: () => Range | undefined
}

/** The start and end of a range, initially the whole recording. */
function useRange({ duration_sec }: ListedRecording): RangeInput {
  const text = useRecordingsText().range
  const lengthSec = duration_sec ?? 0
  const id = useId()
  const [draft, setDraft] = useState(() => ({ start: '0', end: roundedDown(lengthSec) }))
  const [problem, setProblem] = useState<RangeProblem | null>(null)
  const words = { notRange: text.notRange, tooLong: text.tooLong(roundedDown(lengthSec)) }
  return {
    fields: { draft, lengthSec, problemId: problem === null ? undefined : id, onChange: setDraft },
    problem: problem === null ? null : { id, words: words[problem] },
    read() {
      const range = { startSec: Number(draft.start), endSec: Number(draft.end) }
      const found = rangeProblem(range, lengthSec)
      setProblem(found)
      return found === null ? range : undefined
    },
  }
}

/** Rounded down to tenths of a second, so that it is never after the end. */
function roundedDown(lengthSec: number): string {
  return (Math.floor(lengthSec * 10) / 10).toFixed(1)
}

interface RangeDraft {
  start: string
  end: string
}

interface RangeFieldsProps {
  draft: RangeDraft
  lengthSec: number
  problemId: string | undefined
  onChange: (draft: RangeDraft) => void
}

function RangeFields({ draft, lengthSec, problemId, onChange }: RangeFieldsProps) {
  const text = useRecordingsText().range
  const bounds = { min: 0, max: lengthSec, step: STEP_SEC }
  return (
    <>
      <NumberField
        {...bounds}
        label={text.start}
        value={draft.start}
        onChange={(start) => onChange({ ...draft, start })}
      />
      <NumberField
        {...bounds}
        label={text.end}
        value={draft.end}
        problemId={problemId}
        onChange={(end) => onChange({ ...draft, end })}
      />
    </>
  )
}
