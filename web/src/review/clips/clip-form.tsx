import { CLIP_TAG_MAX, CLIP_TAGS_MAX, CLIP_TITLE_MAX } from '@interview-room/contract/limits.ts'
import { useState } from 'react'
import { Group } from 'react-aria-components'
import { Button } from '../../design/button.tsx'
import { Form } from '../../design/form.tsx'
import { TextField } from '../../design/text-field.tsx'
import { tenthsText } from '../../i18n/times.ts'
import { useStore } from '../../pages/store.ts'
import { useAction } from '../../pages/use-action.ts'
import type { Span } from '../../player/silences.ts'
import { FormButtons } from '../form-buttons.tsx'
import { Problem } from '../problem.tsx'
import { useText } from '../review-text.ts'
import { useStudy } from '../study-context.ts'
import styles from './clips.module.css'

/** How much of the end is heard after each change of it. */
const LAST_SEC = 2

/** A new clip of the chosen range. Its ends can be moved by tenths of a second. */
export function ClipForm({ range }: { range: Span }) {
  const text = useText()
  const { api, clips, desk, recording } = useStudy()
  const [title, setTitle] = useState('')
  const [tags, setTags] = useState('')
  const { isBusy, error, run } = useAction()

  async function submit(): Promise<void> {
    const isMade = await run(async () => {
      await api.clip(recording.id, {
        start_sec: range.startSec,
        end_sec: range.endSec,
        ...(title.trim() !== '' && { title: title.trim() }),
        tags: tagsIn(tags),
      })
      await clips.reload()
    })
    if (isMade) desk.set({ range: null })
  }

  return (
    <Form className={styles.form} aria-label={text.clips.form} onSubmit={submit}>
      <div className={styles.ends}>
        <EndHandle range={range} end="startSec" />
        <EndHandle range={range} end="endSec" />
      </div>
      <Trial range={range} />
      <TextField
        label={text.clips.title}
        value={title}
        maxLength={CLIP_TITLE_MAX}
        onChange={setTitle}
      />
      <TextField
        label={text.clips.tags}
        value={tags}
        maxLength={CLIP_TAGS_MAX * (CLIP_TAG_MAX + 1)}
        onChange={setTags}
      />
      <Problem error={error} />
      <FormButtons
        label={text.clips.make}
        isBusy={isBusy}
        onCancel={() => desk.set({ range: null })}
      />
    </Form>
  )
}

/** How long it is, and how it sounds. */
function Trial({ range }: { range: Span }) {
  const text = useText().clips
  const { player } = useStudy()
  return (
    <p className={styles.facts}>
      <span>{text.length((range.endSec - range.startSec).toFixed(1))}</span>
      <Button size="small" look="quiet" onPress={() => player.playRange(range)}>
        {text.playAll}
      </Button>
      <Button size="small" look="quiet" onPress={() => playLast(range, player)}>
        {text.playLast}
      </Button>
    </p>
  )
}

/** Words between commas, each once. */
function tagsIn(words: string): string[] {
  const tags = words.split(/[,、，]/).map((each) => each.trim().slice(0, CLIP_TAG_MAX))
  return [...new Set(tags.filter((each) => each !== ''))].slice(0, CLIP_TAGS_MAX)
}

type Player = ReturnType<typeof useStudy>['player']

function playLast({ startSec, endSec }: Span, player: Player): void {
  player.playRange({ startSec: Math.max(startSec, endSec - LAST_SEC), endSec })
}

interface EndHandleProps {
  range: Span
  end: 'startSec' | 'endSec'
}

const TENTH_SEC = 0.1

/** Moves one end by a tenth of a second, or to the position of the video, and plays what was changed. */
function EndHandle({ range, end }: EndHandleProps) {
  const text = useText().clips
  const { desk, player } = useStudy()
  const durationSec = useStore(player.store, (state) => state.durationSec)
  const label = text[end]

  function move(toSec: number): void {
    const sec = Math.min(Math.max(Math.round(toSec * 1000) / 1000, 0), durationSec)
    const moved = { ...range, [end]: sec }
    if (moved.startSec >= moved.endSec) return
    desk.set({ range: moved })
    if (end === 'endSec') playLast(moved, player)
    else player.playRange({ startSec: sec, endSec: Math.min(sec + LAST_SEC, moved.endSec) })
  }

  return (
    <Group className={styles.end ?? ''} aria-label={label}>
      <span>{label}</span>
      <div>
        <Button
          size="small"
          aria-label={text.earlier(label)}
          onPress={() => move(range[end] - TENTH_SEC)}
        >
          −0.1
        </Button>
        <output>{tenthsText(range[end])}</output>
        <Button
          size="small"
          aria-label={text.later(label)}
          onPress={() => move(range[end] + TENTH_SEC)}
        >
          +0.1
        </Button>
      </div>
      <Button size="small" look="quiet" onPress={() => move(player.store.get().sec)}>
        {text.here}
      </Button>
    </Group>
  )
}
