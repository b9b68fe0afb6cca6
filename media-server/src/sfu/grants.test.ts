import { ParticipantInfo_Kind, TrackSource } from '@livekit/protocol'
import { describe, expect, test } from 'vitest'
import { canPublishSource, grantWith, kindOf, permissionOf } from './grants.ts'

describe('the permission of a token', () => {
  test('allows publishing, subscribing and data unless refused', () => {
    expect(permissionOf({})).toMatchObject({
      canPublish: true,
      canSubscribe: true,
      canPublishData: true,
      hidden: false,
    })
  })

  test('refuses data with publishing, unless data is granted separately', () => {
    expect(permissionOf({ canPublish: false }).canPublishData).toBe(false)
    const permission = permissionOf({ canPublish: false, canPublishData: true })
    expect(permission.canPublishData).toBe(true)
  })

  test.each([
    [{}, TrackSource.SCREEN_SHARE, true],
    [{ canPublishSources: ['camera', 'microphone'] }, TrackSource.CAMERA, true],
    [{ canPublishSources: ['camera', 'microphone'] }, TrackSource.SCREEN_SHARE, false],
    [{ canPublish: false }, TrackSource.CAMERA, false],
  ])('%j lets source %i be published: %s', (grant, source, isAllowed) => {
    expect(canPublishSource(permissionOf(grant), source)).toBe(isAllowed)
  })

  test('is kept in a refreshed token', () => {
    const permission = permissionOf({
      canPublishSources: ['screen_share_audio'],
      canUpdateOwnMetadata: true,
      hidden: true,
    })
    expect(permissionOf(grantWith({ roomJoin: true }, permission))).toEqual(permission)
  })
})

test('an unknown kind counts as a standard participant', () => {
  expect(kindOf('egress')).toBe(ParticipantInfo_Kind.EGRESS)
  expect(kindOf('robot')).toBe(ParticipantInfo_Kind.STANDARD)
})
