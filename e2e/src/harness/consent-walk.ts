import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import type { Page } from 'playwright-core'
import type { PageStateName } from '../page-states.ts'
import { type PageRecorder, SESSION_NAME } from './page-recorder.ts'
import { recordingIs } from './reach-states.ts'
import {
  consentButton,
  control,
  joinButton,
  liveRoom,
  recordingButton,
  transcriptionQuestion,
} from './room-page.ts'
import { blockedMedia } from './surroundings.ts'
import { SOON } from './wait.ts'

const PHONE = { isPhone: true }

type Look = (page: Page, name: PageStateName) => Promise<void>

/** Every question to panelists, and everything that waits for their answers. */
export async function expectConsentAsked(recorder: PageRecorder, look: Look): Promise<void> {
  await expectRecordingDeclined(recorder, look)
  await setReturnUrl(recorder)
  await expectLiveTextAsked(recorder, look)
  await expectObservationDeclined(recorder, look)
}

/** Visits a room in which staff may read along. */
async function expectLiveTextAsked(recorder: PageRecorder, look: Look): Promise<void> {
  await setLiveText(recorder, 'staff')
  const room = await recorder.env.tenant.book({ room: { archive_mode: 'manual' } })
  const { page, context } = await recorder.open(room, 'panelist', PHONE)
  await joinButton(page).click(SOON)
  await consentButton(page, 'give').click(SOON)
  await transcriptionQuestion(page).waitFor(SOON)
  await look(page, 'consent-transcription')
  await context.close()
  await setLiveText(recorder, 'off')
}

/** Visits a room that is always recorded. */
async function expectRecordingDeclined(recorder: PageRecorder, look: Look): Promise<void> {
  const recorded = await recorder.env.tenant.book({ room: { archive_mode: 'always' } })
  const { page, context } = await recorder.open(recorded, 'panelist', PHONE)
  await joinButton(page).click(SOON)
  await look(page, 'consent')
  await consentButton(page, 'decline').click()
  await look(page, 'consent-declined')
  await context.close()
}

/** A person declines everything and takes part, neither observed nor recorded, until leaving. */
async function expectObservationDeclined(recorder: PageRecorder, look: Look): Promise<void> {
  const { env } = recorder
  await askToObserve(recorder, 'required')
  const observed = await env.tenant.book({ name: SESSION_NAME, room: { archive_mode: 'manual' } })
  const panelist = await recorder.open(observed, 'panelist', PHONE)
  await joinButton(panelist.page).click(SOON)
  await consentButton(panelist.page, 'decline').click(SOON)
  await look(panelist.page, 'consent-observation')
  await consentButton(panelist.page, 'decline').click()
  await liveRoom(panelist.page).waitFor(SOON)
  const observer = await recorder.enter(observed, 'observer')
  await look(observer.page, 'observer-consent')
  await observer.context.close()

  const moderator = await recorder.enter(observed, 'moderator')
  await control(moderator.page, 'recording').click()
  await recordingButton(moderator.page, 'start').click()
  await look(moderator.page, 'recording-no-consent')
  await moderator.context.close()
  await control(panelist.page, 'leave').click()
  await look(panelist.page, 'left-panelist')
  await panelist.context.close()
  await askToObserve(recorder, 'informed')
}

/** A room opens, and a network lets nobody in. The latter waits for a diagnosis, so only the long run does it. */
export async function expectWayIn(recorder: PageRecorder, look: Look): Promise<void> {
  await expectOpening(recorder, look)
  if (IS_FULL_RUN) await expectBlocked(recorder, look)
}

/** Moves the slot, and its window opens while a person waits. */
async function expectOpening(recorder: PageRecorder, look: Look): Promise<void> {
  const { env } = recorder
  const booked = await env.tenant.book({ startsInMin: 120 })
  const { page, context } = await recorder.open(booked, 'panelist')
  await page.clock.install()
  await page.reload()
  await look(page, 'waiting-room')
  const starts_at = new Date().toISOString()
  await env.tenant.call('PATCH', `/sessions/${booked.session.id}`, { starts_at })
  await page.clock.fastForward(61_000)
  await look(page, 'room-open')
  await context.close()
}

/** A network lets nobody in, and the page says why. */
async function expectBlocked(recorder: PageRecorder, look: Look): Promise<void> {
  const room = await recorder.env.tenant.book()
  const { arrange: prepare, strike, atEntry } = blockedMedia
  const person = await recorder.open(room, 'observer', { prepare })
  await strike(person)
  await joinButton(person.page).click(SOON)
  await atEntry(person.page)
  await look(person.page, 'connecting-blocked')
  await person.context.close()
}

/** Visits the end after a recording. */
export async function expectNotRecording(recorder: PageRecorder, look: Look): Promise<void> {
  const recorded = await recorder.env.tenant.book({ room: { archive_mode: 'manual' } })
  const before = recordingIs('stopped')
  const { page, context } = await recorder.enter(recorded, 'panelist', { before })
  await look(page, 'recording-stopped')
  await context.close()
}

/** Sets if observers need the consent of panelists, in every room of the tenant. */
export async function askToObserve(
  { env: { service } }: Pick<PageRecorder, 'env'>,
  word: 'required' | 'informed',
): Promise<void> {
  const whose = ['--tenant', service.local.tenant_id]
  await service.admin('tenants', 'consent', ...whose, '--observation', word)
}

/** Sets who may read along, in every room of the tenant. */
async function setLiveText(
  { env: { service } }: Pick<PageRecorder, 'env'>,
  audience: 'off' | 'staff',
): Promise<void> {
  const whose = ['--tenant', service.local.tenant_id]
  await service.admin('tenants', 'live-text', ...whose, '--for', audience)
}

/** Sets the page to which panelists return afterwards. */
async function setReturnUrl({ env: { service } }: PageRecorder): Promise<void> {
  const whose = ['--tenant', service.local.tenant_id]
  await service.admin('tenants', 'return-url', ...whose, '--url', 'https://www.example.com/thanks')
}
