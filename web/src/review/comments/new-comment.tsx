import { type ReactNode, useState } from 'react'
import { Button } from '../../design/button.tsx'
import { IconButton } from '../../design/icon-button.tsx'
import { CloseIcon } from '../../design/icons.tsx'
import { spanText } from '../../i18n/times.ts'
import { useStore } from '../../pages/store.ts'
import type { Span } from '../../player/silences.ts'
import { useText } from '../review-text.ts'
import { useStudy } from '../study-context.ts'
import { CommentField } from './comment-field.tsx'
import styles from './comments.module.css'

interface CommentPlace {
  /** Null: the comment is about the whole recording. */
  startSec: number | null
  /** Null for a moment. */
  endSec: number | null
}

const WHOLE: CommentPlace = { startSec: null, endSec: null }

/** A comment about the moment at which somebody began to type, about the selected range, or about all of it. */
export function NewComment() {
  const text = useText().comments
  const { api, comments, desk, player, recording } = useStudy()
  const range = useStore(desk, (state) => state.range)
  const asked = useStore(desk, (state) => state.asked.comment)
  const [place, setPlace] = useState<CommentPlace | null>(null)

  async function send(words: string): Promise<void> {
    const { startSec, endSec } = place ?? WHOLE
    await api.comment(recording.id, {
      text: words,
      ...(startSec !== null && { offset_sec: startSec }),
      ...(endSec !== null && { end_sec: endSec }),
    })
    setPlace(null)
    await comments.reload()
  }

  return (
    <div className={styles.fresh}>
      <PlaceRow place={place} onWhole={() => setPlace(WHOLE)}>
        {range !== null && place?.endSec !== range.endSec && (
          <UseRange range={range} onUse={() => setPlace(range)} />
        )}
      </PlaceRow>
      <CommentField
        asked={asked}
        label={text.write}
        send={text.send}
        onBegin={() =>
          setPlace((before) => before ?? { startSec: player.store.get().sec, endSec: null })
        }
        onEmpty={() => setPlace(null)}
        onSend={send}
      />
    </div>
  )
}

interface PlaceRowProps {
  place: CommentPlace | null
  onWhole: () => void
  children: ReactNode
}

function PlaceRow({ place, onWhole, children }: PlaceRowProps) {
  const text = useText().comments
  const startSec = place?.startSec ?? null
  const said =
    place === null || startSec === null ? text.whole : text.at(spanText(startSec, place.endSec))
  return (
    <div className={styles.place}>
      <span>{place === null ? text.placeHint : said}</span>
      {startSec !== null && (
        <IconButton label={text.aboutAll} icon={<CloseIcon />} onPress={onWhole} />
      )}
      {children}
    </div>
  )
}

function UseRange({ range, onUse }: { range: Span; onUse: () => void }) {
  const text = useText().comments
  return (
    <Button size="small" look="quiet" onPress={onUse}>
      {text.takeRange(spanText(range.startSec, range.endSec))}
    </Button>
  )
}
