import type { HandoutBody } from '@interview-room/contract/handouts.ts'
import { Badge } from '../../design/badge.tsx'
import { Button } from '../../design/button.tsx'
import { EyeIcon } from '../../design/icons.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import { useShortcuts } from '../tools/use-shortcuts.ts'
import { AddHandout } from './add-handout.tsx'
import styles from './handout-panel.module.css'
import { HandoutPreview } from './handout-preview.tsx'
import { type Handouts, nameOf } from './use-handouts.ts'

/** The moderator's handouts: previews each one privately, and shows it to everybody. */
export function HandoutPanel({ handouts }: { handouts: Handouts }) {
  const text = useToolsText().handout
  const { showNext, showPrevious, shownId, hide } = handouts
  // The closed panel keeps its content mounted, so that its keys always work.
  useShortcuts({
    n: showNext ?? undefined,
    p: showPrevious ?? undefined,
    x: shownId === null ? undefined : hide,
  })
  return (
    // Takes the focus when a pressed button disappears.
    <section className={styles.panel} aria-label={text.title} tabIndex={-1}>
      <header className={styles.header}>
        <h2>{text.title}</h2>
        <p>{text.lead}</p>
      </header>
      <div className={styles.scroll}>
        <NowShown handouts={handouts} />
        {handouts.hasFailed && (
          <p className={styles.failed} role="alert">
            {text.notSaved}
          </p>
        )}
        <HandoutList handouts={handouts} />
        <AddHandout />
      </div>
    </section>
  )
}

function NowShown({
  handouts: { shownName, hide, showNext, showPrevious },
}: {
  handouts: Handouts
}) {
  const text = useToolsText().handout
  return (
    <div className={styles.now} data-shown={shownName !== null}>
      <p>
        <EyeIcon />
        <span>{shownName === null ? text.notShown : text.nowShown(shownName)}</span>
      </p>
      <div className={styles.steps}>
        <Button
          size="small"
          aria-label={text.previous}
          isDisabled={showPrevious === null}
          onPress={() => showPrevious?.()}
        >
          <span aria-hidden="true">←</span>
        </Button>
        <Button
          size="small"
          aria-label={text.next}
          isDisabled={showNext === null}
          onPress={() => showNext?.()}
        >
          <span aria-hidden="true">→</span>
        </Button>
        <Button size="small" isDisabled={shownName === null} onPress={hide}>
          {text.hide}
        </Button>
      </div>
    </div>
  )
}

function HandoutList({ handouts }: { handouts: Handouts }) {
  const text = useToolsText().handout
  const { loaded, shownId, show, reload } = handouts
  if (loaded.status === 'loading') return <p className={styles.soft}>{text.loading}</p>
  if (loaded.status === 'failed') {
    return (
      <p className={styles.soft}>
        {text.failed}
        <Button size="small" onPress={reload}>
          {text.retry}
        </Button>
      </p>
    )
  }
  if (loaded.handouts.length === 0) return <p className={styles.soft}>{text.empty}</p>
  return (
    <ul className={styles.list}>
      {loaded.handouts.map((handout) => (
        <HandoutRow
          key={handout.id}
          handout={handout}
          isShown={handout.id === shownId}
          onShow={() => show(handout.id)}
        />
      ))}
    </ul>
  )
}

interface HandoutRowProps {
  handout: HandoutBody
  isShown: boolean
  onShow: () => void
}

function HandoutRow({ handout, isShown, onShow }: HandoutRowProps) {
  const text = useToolsText().handout
  const { title, file_name: fileName, content_type: kind } = handout
  const name = nameOf(handout)
  return (
    <li className={styles.row} data-shown={isShown}>
      <HandoutPreview handout={handout} />
      <div className={styles.words}>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span>
          {`${kind === 'video' ? text.video : text.image}${title === null ? '' : ` · ${fileName}`}`}
        </span>
      </div>
      {isShown ? (
        <Badge tone="good">{text.shown}</Badge>
      ) : (
        <Button size="small" look="primary" aria-label={text.showNamed(name)} onPress={onShow}>
          {text.show}
        </Button>
      )}
    </li>
  )
}
