import { useEffect, useEffectEvent } from 'react'
import { toggleFullScreen } from '../../player/full-screen.ts'
import type { StudyContextValue } from '../study-context.ts'
import { sentenceFrom } from '../transcript/transcript-places.ts'
import { actionOf, type KeyAction } from './keys.ts'

const NEAR_SEC = 5
const FAR_SEC = 10

/** Does what the keys of the page mean, before lists and buttons see them. */
export function useKeys(study: StudyContextValue): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const place = event.target instanceof Element ? event.target : null
    const action = actionOf(event, place)
    if (action === null || !act(action, study)) return
    event.preventDefault()
    event.stopPropagation()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    addEventListener('keydown', listener, { capture: true })
    return () => removeEventListener('keydown', listener, { capture: true })
  }, [])
}

/** False if the viewer may not do this, and the key has no meaning. */
function act(action: KeyAction, study: StudyContextValue): boolean {
  const { player, may } = study
  const { sec } = player.store.get()
  if (action === 'comment' && !may('comment')) return false
  if ((action === 'clipStart' || action === 'clipEnd') && !may('clip')) return false
  const acts: Record<KeyAction, () => void> = {
    toggle: () => player.toggle(),
    back: () => player.seek(sec - NEAR_SEC),
    forth: () => player.seek(sec + NEAR_SEC),
    farBack: () => player.seek(sec - FAR_SEC),
    farForth: () => player.seek(sec + FAR_SEC),
    slower: () => player.changeRate(-1),
    faster: () => player.changeRate(1),
    frameBack: () => player.step(-1),
    frameForth: () => player.step(1),
    previousSentence: () => seekSentence(study, -1),
    nextSentence: () => seekSentence(study, 1),
    comment: () => askFor(study, 'comment'),
    search: () => askFor(study, 'search'),
    clipStart: () => moveEnd(study, 'startSec'),
    clipEnd: () => moveEnd(study, 'endSec'),
    captions: () => study.desk.set({ hasCaptions: !study.desk.get().hasCaptions }),
    mute: () => player.setMuted(!player.store.get().isMuted),
    fullScreen: () => toggleFullScreen(),
    help: () => study.desk.set({ isHelpOpen: true }),
  }
  acts[action]()
  return true
}

function seekSentence({ player, transcripts }: StudyContextValue, step: 1 | -1): void {
  const to = sentenceFrom(transcripts.lines.data ?? [], player.store.get().sec, step)
  if (to !== undefined) player.seek(to)
}

/** Shows the tab with the field, and moves the focus into it. */
function askFor({ desk }: StudyContextValue, field: 'comment' | 'search'): void {
  const { asked } = desk.get()
  desk.set({
    tab: field === 'comment' ? 'comments' : 'transcript',
    asked: { ...asked, [field]: asked[field] + 1 },
  })
}

/** A clip without the other end lasts from or to there by this length. */
const CLIP_SEC = 10

function moveEnd({ player, desk }: StudyContextValue, end: 'startSec' | 'endSec'): void {
  const { sec, durationSec } = player.store.get()
  const { range } = desk.get()
  const moved = range === null ? null : { ...range, [end]: sec }
  const fresh =
    end === 'startSec'
      ? { startSec: sec, endSec: Math.min(sec + CLIP_SEC, durationSec) }
      : { startSec: Math.max(0, sec - CLIP_SEC), endSec: sec }
  const isRange = moved !== null && moved.startSec < moved.endSec
  desk.set({ range: isRange ? moved : fresh, tab: 'clips' })
}
