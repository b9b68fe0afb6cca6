import type { CommentBody } from '@interview-room/contract/reviews.ts'
import { useState } from 'react'
import { Button } from '../../design/button.tsx'
import { useLocale } from '../../i18n/language.tsx'
import { momentText, spanText } from '../../i18n/times.ts'
import { useAction } from '../../pages/use-action.ts'
import { Problem } from '../problem.tsx'
import { RemoveButton } from '../remove-button.tsx'
import { useText } from '../review-text.ts'
import { useStudy } from '../study-context.ts'
import { CommentField } from './comment-field.tsx'
import styles from './comments.module.css'
import type { Thread } from './threads.ts'

/** A comment with its answers. */
export function CommentThread({ thread: { comment, answers } }: { thread: Thread }) {
  const text = useText().comments
  const { api, comments, recording } = useStudy()
  const [isAnswering, setIsAnswering] = useState(false)
  return (
    <li className={styles.thread} data-resolved={comment.is_resolved}>
      <Comment comment={comment} />
      {answers.length > 0 && (
        <ul className={styles.answers} aria-label={text.answersTo(comment.viewer.name)}>
          {answers.map((answer) => (
            <li key={answer.id}>
              <Comment comment={answer} />
            </li>
          ))}
        </ul>
      )}
      {isAnswering ? (
        <CommentField
          asked={1}
          label={text.writeAnswer(comment.viewer.name)}
          send={text.answer}
          onCancel={() => setIsAnswering(false)}
          onSend={async (words) => {
            await api.comment(recording.id, { text: words, reply_to: comment.id })
            await comments.reload()
            setIsAnswering(false)
          }}
        />
      ) : (
        <div className={styles.buttons}>
          <Button size="small" look="quiet" onPress={() => setIsAnswering(true)}>
            {text.answer}
          </Button>
          <ResolveButton comment={comment} />
        </div>
      )}
    </li>
  )
}

function ResolveButton({ comment }: { comment: CommentBody }) {
  const text = useText()
  const { api, comments } = useStudy()
  const { isBusy, error, run } = useAction()
  const { is_resolved: isResolved } = comment
  return (
    <>
      <Button
        size="small"
        look="quiet"
        isPending={isBusy}
        onPress={() =>
          void run(async () => {
            await api.changeComment(comment, { is_resolved: !isResolved })
            await comments.reload()
          })
        }
      >
        {isResolved ? text.comments.reopen : text.comments.resolve}
      </Button>
      <Problem error={error} />
    </>
  )
}

function Comment({ comment }: { comment: CommentBody }) {
  const text = useText().comments
  const { api, comments, review } = useStudy()
  const [isEditing, setIsEditing] = useState(false)
  const isMine = comment.viewer.reference === review.viewer.reference
  return (
    <article className={styles.comment} aria-label={comment.viewer.name}>
      <Head comment={comment} />
      {isEditing ? (
        <CommentField
          asked={1}
          label={text.edit}
          send={text.save}
          initial={comment.text}
          onCancel={() => setIsEditing(false)}
          onSend={async (words) => {
            await api.changeComment(comment, { text: words })
            await comments.reload()
            setIsEditing(false)
          }}
        />
      ) : (
        <p className={styles.words}>{comment.text}</p>
      )}
      {isMine && !isEditing && <OwnTools comment={comment} onEdit={() => setIsEditing(true)} />}
    </article>
  )
}

/** The author, the time, and the place in the recording: a press on the place seeks. */
function Head({ comment }: { comment: CommentBody }) {
  const text = useText().comments
  const locale = useLocale()
  const { player } = useStudy()
  const { viewer, offset_sec: startSec, end_sec: endSec, updated_at: updatedAt } = comment
  return (
    <p className={styles.head}>
      <strong>{viewer.name}</strong>
      {startSec !== null && (
        <button type="button" onClick={() => player.seek(startSec)}>
          {spanText(startSec, endSec)}
        </button>
      )}
      <time dateTime={comment.created_at}>{momentText(comment.created_at, locale)}</time>
      {updatedAt !== null && <span>{text.edited}</span>}
      {comment.is_resolved && <span>{text.isResolved}</span>}
    </p>
  )
}

function OwnTools({ comment, onEdit }: { comment: CommentBody; onEdit: () => void }) {
  const text = useText().comments
  const { api, comments } = useStudy()
  return (
    <div className={styles.buttons}>
      <Button size="small" look="quiet" onPress={onEdit}>
        {text.edit}
      </Button>
      <RemoveButton
        of={comment.text.slice(0, 40)}
        words={{ title: text.removeTitle, body: text.removeBody }}
        onConfirm={async () => {
          await api.deleteComment(comment)
          await comments.reload()
        }}
      />
    </div>
  )
}
