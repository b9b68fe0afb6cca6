import type { ClipBody } from '@interview-room/contract/clips.ts'
import { CLIP_TITLE_MAX } from '@interview-room/contract/limits.ts'
import { REEL_CAPTIONS, type ReelCaptions } from '@interview-room/contract/reels.ts'
import { useCallback, useState } from 'react'
import { Form } from '../../design/form.tsx'
import { IconButton } from '../../design/icon-button.tsx'
import { DownIcon, UpIcon } from '../../design/player-icons.tsx'
import { Select } from '../../design/select.tsx'
import { TextField } from '../../design/text-field.tsx'
import { useAction } from '../../pages/use-action.ts'
import { useLoaded } from '../../pages/use-loaded.ts'
import { nameOf } from '../clip-name.ts'
import { FormButtons } from '../form-buttons.tsx'
import { Problem } from '../problem.tsx'
import { useText } from '../review-text.ts'
import { useStudy } from '../study-context.ts'
import styles from './clips.module.css'

const LINE = { maxLength: CLIP_TITLE_MAX }
const CLIPS_MS = 5_000
const clipsAgainMs = () => CLIPS_MS

/** A new reel of the clips that are chosen, in the order of the list. */
export function ReelForm({ onClose }: { onClose: () => void }) {
  const text = useText()
  const { api, review, reels, transcripts } = useStudy()
  const [clipIds, setClipIds] = useState<readonly string[]>([])
  const [title, setTitle] = useState('')
  const [card, setCard] = useState('')
  const [captions, setCaptions] = useState<ReelCaptions>('none')
  const { isBusy, error, run } = useAction()

  async function submit(): Promise<void> {
    const isMade = await run(async () => {
      await api.reel(review.room_id, {
        clip_ids: [...clipIds],
        captions,
        ...(title.trim() !== '' && { title: title.trim() }),
        ...(card.trim() !== '' && { title_card: card.trim() }),
      })
      await reels.reload()
    })
    if (isMade) onClose()
  }

  return (
    <Form className={styles.form} aria-label={text.reels.form} onSubmit={submit}>
      <ClipChoice onChange={setClipIds} />
      <TextField label={text.clips.title} value={title} onChange={setTitle} {...LINE} />
      <TextField label={text.reels.card} value={card} onChange={setCard} {...LINE} />
      {transcripts.shown !== null && (
        <Select
          label={text.watching.captions}
          placeholder={text.reels.captions.none}
          value={captions}
          options={REEL_CAPTIONS.map((id) => ({ id, label: text.reels.captions[id] }))}
          onChange={(id) => setCaptions(REEL_CAPTIONS.find((each) => each === id) ?? 'none')}
        />
      )}
      <Problem error={error} />
      <FormButtons
        label={text.reels.make}
        isBusy={isBusy}
        isDisabled={clipIds.length === 0}
        onCancel={onClose}
      />
    </Form>
  )
}

/** Reports the chosen clips in the order of the list, which buttons change. */
function ClipChoice({ onChange }: { onChange: (clipIds: readonly string[]) => void }) {
  const text = useText().reels
  const [order, setOrder] = useState<readonly string[]>([])
  const [chosen, setChosen] = useState<readonly string[]>([])
  const clips = inOrder(useClipsOfRoom(), order)
  const ids = clips.map(({ id }) => id)

  function choose(nextOrder: readonly string[], nextChosen: readonly string[]): void {
    setOrder(nextOrder)
    setChosen(nextChosen)
    onChange(nextOrder.filter((id) => nextChosen.includes(id)))
  }

  function move(id: string, by: -1 | 1): void {
    const at = ids.indexOf(id)
    const other = ids[at + by]
    if (other !== undefined) choose(ids.with(at, other).with(at + by, id), chosen)
  }

  return (
    <fieldset className={styles.choice}>
      <legend>{text.choose}</legend>
      <ul>
        {clips.map((clip) => (
          <li key={clip.id}>
            <label>
              <input
                type="checkbox"
                checked={chosen.includes(clip.id)}
                onChange={({ target }) => {
                  const others = chosen.filter((id) => id !== clip.id)
                  choose(ids, target.checked ? [...others, clip.id] : others)
                }}
              />
              <span>{nameOf(clip)}</span>
            </label>
            <IconButton
              label={text.earlier(nameOf(clip))}
              icon={<UpIcon />}
              onPress={() => move(clip.id, -1)}
            />
            <IconButton
              label={text.later(nameOf(clip))}
              icon={<DownIcon />}
              onPress={() => move(clip.id, 1)}
            />
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

/** Every clip with a file, of all recordings that the link opens, by its place in the room. */
function useClipsOfRoom(): readonly ClipBody[] {
  const { api, review } = useStudy()
  const ask = useCallback(
    async () => (await Promise.all(review.recordings.map(({ id }) => api.clips(id)))).flat(),
    [api, review.recordings],
  )
  const all = useLoaded(ask, { againMs: clipsAgainMs }).data ?? []
  return all.filter(({ status }) => status === 'available')
}

/** Clips that were not moved stay where they were. */
function inOrder(clips: readonly ClipBody[], order: readonly string[]): readonly ClipBody[] {
  const at = (clip: ClipBody) => (order.includes(clip.id) ? order.indexOf(clip.id) : order.length)
  return clips.toSorted((one, other) => at(one) - at(other))
}
