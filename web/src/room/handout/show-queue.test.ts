import { expect, test } from 'vitest'
import { ShowQueue } from './show-queue.ts'

interface Request {
  words: string
  answer: (isDone: boolean) => Promise<void>
}

/** A moderator's page before a room: the test answers its requests, and lets the room report. */
function begin(shownAtFirst: string | null = null) {
  let shownId = shownAtFirst
  const requests: Request[] = []
  const queue = new ShowQueue(() => shownId)
  const sending = (verb: string) => async (id: string) =>
    new Promise<boolean>((resolve) => {
      requests.push({
        words: `${verb} ${id}`,
        answer: async (isDone) => {
          resolve(isDone)
          await settle()
        },
      })
    })
  return {
    requests,
    sent: () => requests.map(({ words }) => words),
    show: async (id: string) => press(queue.show(id, sending('show'))),
    hide: async () => press(queue.hide(sending('hide'))),
    report: (id: string | null) => {
      shownId = id
      queue.confirm(id)
    },
    current: () => queue.currentId,
  }
}

/** Lets everything happen that waits for no answer. */
const settle = async () =>
  new Promise<void>((resolve) => {
    setImmediate(resolve)
  })

async function press(_request: Promise<void>): Promise<void> {
  await settle()
}

test('requests are sent one after the other, and what was passed over is not sent', async () => {
  const { requests, sent, show, current } = begin('A')
  await show('B')
  await show('C')
  await show('D')
  expect(current()).toBe('D')
  expect(sent()).toEqual(['show B'])
  await requests[0]?.answer(true)
  expect(sent()).toEqual(['show B', 'show D'])
})

test('hiding hides what is shown by then, and not what was never shown', async () => {
  const { requests, sent, show, hide } = begin()
  await show('A')
  await show('B')
  await hide()
  await requests[0]?.answer(true)
  expect(sent()).toEqual(['show A', 'hide A'])
})

test('a handout that was passed over stays so when it is asked for again after hiding', async () => {
  const { requests, sent, show, hide } = begin()
  await show('A')
  await show('B')
  await hide()
  await show('B')
  await requests[0]?.answer(true)
  await requests[1]?.answer(true)
  expect(sent()).toEqual(['show A', 'hide A', 'show B'])
})

test('hiding follows what the room reports, also of another moderator', async () => {
  const { sent, hide, report, show, requests } = begin()
  await show('A')
  await requests[0]?.answer(true)
  report('A')
  report('C')
  await hide()
  expect(sent()).toEqual(['show A', 'hide C'])
})

test('hiding takes both away where the answer about the new one is lost', async () => {
  const { requests, sent, show, hide } = begin('A')
  await show('B')
  await hide()
  await requests[0]?.answer(false)
  await requests[1]?.answer(true)
  expect(sent()).toEqual(['show B', 'hide B', 'hide A'])
})

test('what could not be shown is not what the next key refers to', async () => {
  const { requests, sent, show, hide, current } = begin('A')
  await show('B')
  await requests[0]?.answer(false)
  expect(current()).toBe('A')
  await hide()
  expect(sent()).toEqual(['show B', 'hide A'])
})

test('hiding where nothing is shown asks for nothing', async () => {
  const { sent, hide } = begin()
  await hide()
  expect(sent()).toEqual([])
})
