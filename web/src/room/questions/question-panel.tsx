import { QUESTION_TEXT_MAX } from '@interview-room/contract/limits.ts'
import type { QuestionBody } from '@interview-room/contract/questions.ts'
import { QUESTION_STATUSES } from '@interview-room/contract/vocabulary.ts'
import { type SyntheticEvent, useState } from 'react'
import { Button } from '../../design/button.tsx'
import { usePeopleText } from '../../i18n/people-text.ts'
import { newId } from '../../live/new-id.ts'
import { useLive, useLiveState } from '../../live/use-live.tsx'
import { useRequest } from '../tools/use-request.ts'
import { type Draft, putBack } from './draft.ts'
import { inOrder } from './in-order.ts'
import styles from './question-panel.module.css'

/** The observers' questions for the moderator, as a queue. Panelists never see it. */
export function QuestionPanel() {
  const text = usePeopleText().questions
  const { role } = useLive()
  const questions = useLiveState((state) => state.questions)
  return (
    <div className={styles.questions}>
      <header>
        <h2>{text.title}</h2>
        <p>{text.lead}</p>
      </header>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard */}
      <section className={styles.scroll} tabIndex={0} aria-label={text.title}>
        {questions.length === 0 && <p className={styles.empty}>{text.empty}</p>}
        <ul>
          {inOrder(questions).map((question) => (
            <Question key={question.id} question={question} canChange={role === 'moderator'} />
          ))}
        </ul>
      </section>
      <NewQuestion />
    </div>
  )
}

function Question({ question, canChange }: { question: QuestionBody; canChange: boolean }) {
  const text = usePeopleText().questions
  const { status: request, post } = useRequest()
  const { id, status, display_name: name, created_at: at } = question
  return (
    <li data-status={status}>
      <p className={styles.text} dir="auto">
        {question.text}
      </p>
      <p className={styles.from}>
        <bdi>{name}</bdi> <span aria-hidden>·</span>{' '}
        <time dateTime={at}>{new Date(at).toLocaleTimeString('en-GB')}</time>
        {!canChange && <span className={styles.status}>{text.status[status]}</span>}
      </p>
      {canChange && (
        <fieldset className={styles.choices}>
          <legend className="visually-hidden">{text.choose(question.text)}</legend>
          {QUESTION_STATUSES.map((each) => (
            <label key={each} data-chosen={each === status}>
              <input
                type="radio"
                name={id}
                checked={each === status}
                onChange={() =>
                  void post<'changeQuestion'>(`/questions/${id}/status`, { status: each })
                }
              />
              <span>{text.status[each]}</span>
            </label>
          ))}
        </fieldset>
      )}
      {request === 'failed' && (
        <p className={styles.failed} role="alert">
          {text.failed}
        </p>
      )}
    </li>
  )
}

function NewQuestion() {
  const text = usePeopleText().questions
  const { status, post } = useRequest()
  const [draft, setDraft] = useState<Draft>(() => ({ id: newId(), text: '' }))
  const given = draft.text.trim()

  async function add(event: SyntheticEvent): Promise<void> {
    event.preventDefault()
    if (given === '' || status === 'sending') return
    const sent = { id: draft.id, text: given }
    // The next question may be written while this one is being sent.
    setDraft({ id: newId(), text: '' })
    if (await post<'addQuestion'>('/questions', sent)) return
    setDraft((now) => putBack(sent, now))
  }

  return (
    <form className={styles.new} onSubmit={(event) => void add(event)}>
      <label>
        <span>{text.label}</span>
        <input
          value={draft.text}
          maxLength={QUESTION_TEXT_MAX}
          placeholder={text.hint}
          autoComplete="off"
          onChange={({ target }) => setDraft({ id: newId(), text: target.value })}
        />
      </label>
      <Button
        type="submit"
        look="primary"
        size="small"
        isDisabled={given === '' && status !== 'sending'}
        isPending={status === 'sending'}
      >
        {text.add}
      </Button>
      {status === 'failed' && (
        <p className={styles.failed} role="alert">
          {text.failed}
        </p>
      )}
    </form>
  )
}
