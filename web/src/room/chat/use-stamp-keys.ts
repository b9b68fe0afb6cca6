import { VISIBILITIES, type Visibility } from '@interview-room/contract/vocabulary.ts'
import { useEffect, useState } from 'react'
import { areShortcutsOn } from '../tools/shortcut-choice.ts'
import { StampKeys } from './stamp-keys.ts'

const WRITING = 'input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog]'
/** Matches a chat itself, but not the preview of a message elsewhere. */
const CHAT = 'section[data-channel]'

/** Listens on the page once for the stamp keys of all chats. */
export function useStampKeys(): StampKeys {
  const [keys] = useState(() => new StampKeys())
  useEffect(() => {
    const away = new AbortController()
    const { signal } = away
    function onUse({ target }: Event): void {
      const chat = chatAround(target)
      if (chat !== undefined) keys.use(chat)
    }
    function onKey(event: KeyboardEvent): void {
      if (!areShortcutsOn()) return
      const { target } = event
      const isWriting = target instanceof Element && target.closest(WRITING) !== null
      if (keys.press(event, { within: chatAround(target), isWriting })) event.preventDefault()
    }
    // Buttons do not let their presses bubble, so listen in the capture phase.
    document.addEventListener('focusin', onUse, { signal, capture: true })
    document.addEventListener('pointerdown', onUse, { signal, capture: true })
    document.addEventListener('keydown', onKey, { signal })
    return () => away.abort()
  }, [keys])
  return keys
}

function chatAround(target: EventTarget | null): Visibility | undefined {
  const chat = target instanceof Element ? target.closest<HTMLElement>(CHAT) : null
  return VISIBILITIES.find((each) => each === chat?.dataset['channel'])
}
