import { expect, test } from 'vitest'
import { refuseStrayDrops } from './stray-drops.ts'

/** Drags something over the page and drops it there. Returns the effect. */
function drop(page: EventTarget, types: readonly string[], isTaken = false) {
  const dataTransfer = { types, dropEffect: 'copy' }
  const isOpened = ['dragover', 'drop'].map((type) => {
    const event = Object.assign(new Event(type, { cancelable: true }), { dataTransfer })
    if (isTaken) event.preventDefault()
    page.dispatchEvent(event)
    return !event.defaultPrevented
  })
  return { isOpened: isOpened.includes(true), effect: dataTransfer.dropEffect }
}

test('a file that is dropped outside of any drop zone is not opened, until the room is left', () => {
  const page = new EventTarget()
  const end = refuseStrayDrops(page)
  expect(drop(page, ['Files'])).toEqual({ isOpened: false, effect: 'none' })
  expect(drop(page, ['Files'], true)).toEqual({ isOpened: false, effect: 'copy' })
  expect(drop(page, ['text/plain']).isOpened).toBe(true)
  end()
  expect(drop(page, ['Files']).isOpened).toBe(true)
})
