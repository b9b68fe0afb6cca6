import { describe, expect, test } from 'vitest'
import { resetBranding, setBranding } from '../../platform/tenants/branding.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { IMAGES } from '../../testing/images.ts'
import { useLiveRooms } from '../../testing/live-room.ts'
import { toAnswer } from '../../testing/tenant-client.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

/** The branding that a panelist gets from the admission check and from entering. */
async function brandingOf(): Promise<unknown[]> {
  const { id: roomId } = await plane.book({ startsInMin: 1 })
  const participant = { external_type: 'User', external_id: 'a' }
  const token = await live.acting.signToken({ roomId, role: 'panelist', participant })
  const answers = ['admission-check', 'entry'].map(async (call) =>
    toAnswer(
      await plane.app.inject({
        method: 'POST',
        url: `/api/v1/rooms/${roomId}/live/${call}`,
        headers: { authorization: `Bearer ${token}` },
      }),
    ),
  )
  return (await Promise.all(answers)).map(({ data }) => data.branding)
}

describe('the branding of a tenant', () => {
  // contract: checkAdmission, enterRoom › `branding`: `name`, `logo_url`, `palette` with `light` and `dark`,
  //   `help_contact`; null where the operator has set none
  test('reaches people before they enter, and when they do', async () => {
    const { tenantId } = plane.tenant
    const none = { name: null, logo_url: null, palette: null, help_contact: null }
    expect(await brandingOf()).toEqual([none, none])
    const change = { name: '調査会社', color: '#0b6e69', helpContact: '03-0000-0000' }
    await setBranding(plane.database.db, tenantId, { ...change, logo: IMAGES.png })
    const expected = {
      name: '調査会社',
      logo_url: `data:image/png;base64,${IMAGES.png.toString('base64')}`,
      palette: {
        light: expect.objectContaining({ accent: '#0b6e69', on_accent: '#ffffff' }),
        dark: expect.objectContaining({ on_accent: '#0b0f0e' }),
      },
      help_contact: '03-0000-0000',
    }
    expect(await brandingOf()).toEqual([expected, expected])
    await resetBranding(plane.database.db, tenantId)
    expect(await brandingOf()).toEqual([none, none])
  })
})
