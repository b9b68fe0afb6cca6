import path from 'node:path'
import { test } from 'vitest'
import { expectAccessible } from './harness/axe.ts'
import {
  consentButton,
  control,
  joinButton,
  liveRoom,
  ownConsentButton,
  transcriptionQuestion,
} from './harness/room-page.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON } from './harness/wait.ts'

const PROGRAM = path.resolve(import.meta.dirname, 'harness/say-live.ts')

/** Without an engine, nobody would be asked. */
const env = useTestEnvironment({
  ownService: {
    env: {
      LIVE_TEXT_ENGINES: 'local',
      LIVE_TEXT_LOCAL_COMMAND: JSON.stringify([process.execPath, PROGRAM]),
    },
  },
})

test('a panelist declines live text, takes part, and may agree to it in the room', async () => {
  const whose = ['--tenant', env.service.local.tenant_id]
  await env.service.admin('tenants', 'live-text', ...whose, '--for', 'staff')
  const room = await env.tenant.book({ room: { archive_mode: 'manual' } })
  const { page } = await env.open({ roomId: room.id, role: 'panelist', name: 'Pana' })
  await joinButton(page).click(SOON)
  await consentButton(page, 'give').click(SOON)
  await transcriptionQuestion(page).waitFor(SOON)
  await expectAccessible(page, 'consent to live text')
  await consentButton(page, 'decline').click()
  await liveRoom(page).waitFor(SOON)
  await control(page, 'consent').click()
  await ownConsentButton(page, 'give', 'transcription').click()
  await ownConsentButton(page, 'withdraw', 'transcription').waitFor(SOON)
  await expectAccessible(page, 'own consent with live text')
})
