import type { AdmissionCheckBody } from '@interview-room/contract/admission-check.ts'
import { expect, test } from 'vitest'
import { AdmissionCheck } from './admission-check.ts'
import { type CallState, nextState } from './call-state.ts'
import type { Answer, CheckedCredential } from './live-api.ts'
import { UNAVAILABLE } from './refusal.ts'
import { PREVIEW } from './testing/call-world.ts'

type CheckAnswer = Answer<AdmissionCheckBody>

const LINK = { kind: 'token', token: 'first' } as const
const EARLY: CheckAnswer = { ok: true, data: { ...PREVIEW, is_open: false } }
const NO_ANSWER: CheckAnswer = { ok: false, refusal: UNAVAILABLE }

/** A check whose requests the test answers itself, in any order. */
function begin() {
  const asked: { credential: CheckedCredential; answer: (answer: CheckAnswer) => void }[] = []
  let state: CallState = { phase: 'checking' }
  const check = new AdmissionCheck({
    api: {
      check: async (credential) =>
        new Promise((answer) => {
          asked.push({ credential, answer })
        }),
    },
    state: () => state,
    apply: (event) => {
      state = nextState(state, event)
    },
  })
  return { check, asked, state: () => state }
}

/** A person who waits for the room to open. */
async function beginEarly() {
  const begun = begin()
  const checked = begun.check.begin(LINK)
  begun.asked[0]?.answer(EARLY)
  await checked
  expect(begun.state()).toMatchObject({ refusal: { page: 'too-early' } })
  return begun
}

test('waits for the pending answer when asked again, however slow it is', async () => {
  const { check, asked, state } = await beginEarly()
  const both = [check.again(), check.again()]
  expect(asked).toHaveLength(2)
  asked[1]?.answer({ ok: true, data: PREVIEW })
  await Promise.all(both)
  expect(state().phase).toBe('open')
})

test('asks again after a request that failed', async () => {
  const { check, asked, state } = await beginEarly()
  const failed = check.again()
  asked[1]?.answer(NO_ANSWER)
  await failed
  expect(state()).toMatchObject({ refusal: { page: 'too-early' } })
  const answered = check.again()
  asked[2]?.answer({ ok: true, data: PREVIEW })
  await answered
  expect(state().phase).toBe('open')
})

test('asks for another link immediately, and ignores the answer to the first', async () => {
  const { check, asked, state } = begin()
  const first = check.begin(LINK)
  const second = check.begin({ kind: 'token', token: 'second' })
  asked[1]?.answer({ ok: true, data: PREVIEW })
  asked[0]?.answer(NO_ANSWER)
  await Promise.all([first, second])
  expect(asked[1]?.credential).toEqual({ kind: 'token', token: 'second' })
  expect(state().phase).toBe('lobby')
})
