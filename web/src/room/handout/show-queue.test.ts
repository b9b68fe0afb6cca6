import { expect, test } from 'vitest'
import { ShowQueue } from './show-queue.ts'

interface Request {
  words: string
  answer: (isDone: boolean) => Promise<void>
}

/** A moderator's page and the room. The test answers the page's requests, and decides when the room reports. */
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

/** Runs everything that does not wait for an answer. */
const settle = async () =>
  new Promise<void>((resolve) => {
    setImmediate(resolve)
  })

async function press(_request: Promise<void>): Promise<void> {
  await settle()
}

test('requests are sent one after the other, and replaced ones are not sent', async () => {
  const { requests, sent, show, current } = begin('A')
  await show('B')
  await show('C')
  await show('D')
  expect(current()).toBe('D')
  expect(sent()).toEqual(['show B'])
  await requests[0]?.answer(true)
  expect(sent()).toEqual(['show B', 'show D'])
})

test('hiding hides the handout that is shown by then, and not one that was never shown', async () => {
  const { requests, sent, show, hide } = begin()
  await show('A')
  await show('B')
  await hide()
  await requests[0]?.answer(true)
  expect(sent()).toEqual(['show A', 'hide A'])
})

test('a replaced handout is not shown when it is requested again after hiding', async () => {
  const { requests, sent, show, hide } = begin()
  await show('A')
  await show('B')
  await hide()
  await show('B')
  await requests[0]?.answer(true)
  await requests[1]?.answer(true)
  expect(sent()).toEqual(['show A', 'hide A', 'show B'])
})

test("hiding follows the room's reports, also about another moderator", async () => {
  const { sent, hide, report, show, requests } = begin()
  await show('A')
  await requests[0]?.answer(true)
  report('A')
  report('C')
  await hide()
  expect(sent()).toEqual(['show A', 'hide C'])
})

test('hiding hides both handouts if the answer about the new one is lost', async () => {
  const { requests, sent, show, hide } = begin('A')
  await show('B')
  await hide()
  await requests[0]?.answer(false)
  await requests[1]?.answer(true)
  expect(sent()).toEqual(['show B', 'hide B', 'hide A'])
})

test('the next key does not start from a handout that could not be shown', async () => {
  const { requests, sent, show, hide, current } = begin('A')
  await show('B')
  await requests[0]?.answer(false)
  expect(current()).toBe('A')
  await hide()
  expect(sent()).toEqual(['show B', 'hide A'])
})

test('hiding sends no request if nothing is shown', async () => {
  const { sent, hide } = begin()
  await hide()
  expect(sent()).toEqual([])
})
