import { useMemo, useState } from 'react'
import { ChoiceMenu } from '../../design/choice-menu.tsx'
import panel from '../panel.module.css'
import { useText } from '../review-text.ts'
import { useStudy } from '../study-context.ts'
import { CommentThread } from './comment-thread.tsx'
import styles from './comments.module.css'
import { NewComment } from './new-comment.tsx'
import { type Shown, threadsOf } from './threads.ts'

const SHOWN: readonly Shown[] = ['open', 'resolved', 'all']

/** The comments of all viewers. Other people's appear within seconds. */
export function CommentsPanel() {
  const text = useText().comments
  const { comments } = useStudy()
  const [shown, setShown] = useState<Shown>('open')
  const threads = useMemo(() => threadsOf(comments.data ?? [], shown), [comments.data, shown])
  return (
    <div className={panel.panel}>
      <div className={panel.tools}>
        <ChoiceMenu
          label={text.show}
          value={shown}
          options={SHOWN.map((id) => ({ id, label: text.shown[id] }))}
          onChoose={(id) => setShown(SHOWN.find((each) => each === id) ?? 'open')}
        />
        {comments.hasFailed && <output className={styles.stale}>{text.stale}</output>}
      </div>
      {threads.length > 0 ? (
        <ul className={styles.threads} aria-label={text.list}>
          {threads.map((thread) => (
            <CommentThread key={thread.comment.id} thread={thread} />
          ))}
        </ul>
      ) : (
        <p className={panel.empty}>
          {comments.data === undefined ? text.loading : text.none[shown]}
        </p>
      )}
      <NewComment />
    </div>
  )
}
