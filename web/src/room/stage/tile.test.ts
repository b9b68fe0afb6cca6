import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Person } from '../../connection/call-state.ts'
import { ja } from '../../i18n/ja.ts'
import { Tile } from './tile.tsx'

const PERSON: Person = {
  identity: 'p1',
  name: '佐藤 花子',
  role: 'panelist',
  isLocal: false,
  isSpeaking: false,
  isMuted: false,
  quality: 'good',
  picture: null,
  screen: null,
}
const PICTURE = { id: 'v1', isMirrored: false, isPausedByNetwork: false, attach: () => () => {} }

const drawn = (person: Partial<Person>, { isWithheld = false, isSilent = false } = {}) =>
  renderToStaticMarkup(
    createElement(Tile, {
      person: { ...PERSON, ...person },
      isSaving: false,
      isWithheld,
      isSilent,
      onShape: () => {},
    }),
  )

beforeEach(() => {
  vi.stubGlobal('document', { pictureInPictureEnabled: false })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

describe('a tile', () => {
  test('says that a microphone that is on sends no sound, and not of one that is off', () => {
    expect(drawn({}, { isSilent: true })).toContain(ja.call.noSound)
    expect(drawn({ isMuted: true }, { isSilent: true })).not.toContain(ja.call.noSound)
    expect(drawn({})).not.toContain(ja.call.noSound)
  })

  test('shows the name while the video is loading', () => {
    const words = drawn({ picture: PICTURE })
    expect(words).toContain('佐藤 花子')
    expect(words).toContain(ja.call.videoLoading)
    expect(words).not.toContain(ja.call.cameraOff)
  })

  test('shows the name without a camera, and while the video is withheld or waits for the network', () => {
    expect(drawn({})).toContain(ja.call.cameraOff)
    expect(drawn({ picture: PICTURE }, { isWithheld: true })).toContain(ja.call.videoWithheld)
    const paused = { ...PICTURE, isPausedByNetwork: true }
    expect(drawn({ picture: paused })).toContain(ja.call.videoPausedByNetwork)
  })
})
