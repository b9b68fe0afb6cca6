import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DeviceCheck } from './device-check.ts'

/** The cameras that were opened, with their state. */
let cameras: FakeTrack[] = []
/** The kinds of devices in each request to the browser. */
let asked: string[][] = []

class FakeTrack extends EventTarget {
  isOn = true
  stop(): void {
    this.isOn = false
  }
}

beforeEach(() => {
  cameras = []
  asked = []
  vi.stubGlobal('navigator', {
    mediaDevices: {
      enumerateDevices: async () => [],
      getUserMedia: async (constraints: MediaStreamConstraints) => {
        asked.push(Object.keys(constraints))
        const camera = new FakeTrack()
        cameras.push(camera)
        return {
          getTracks: () => [camera],
          getAudioTracks: () => [new FakeTrack()],
          getVideoTracks: () => [camera],
        }
      },
    },
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

/** A check whose blur succeeds or fails. */
function checkWith({ canBlur }: { canBlur: boolean }) {
  const blurs = { isOver: false, fail: () => {} }
  const shown: unknown[] = []
  const check = new DeviceCheck({
    isBlurred: true,
    newBlur: (onFailure) => {
      blurs.fail = onFailure
      return {
        processedTrack: { id: 'blurred' } as MediaStreamTrack,
        init: async () => {
          if (!canBlur) throw new Error('no WebAssembly')
        },
        destroy: async () => {
          blurs.isOver = true
        },
      }
    },
  })
  check.subscribe(() => shown.push(check.getState().camera))
  return { check, blurs, shown }
}

test('a check without devices, as on an insecure connection, lists none', () => {
  vi.stubGlobal('navigator', {})
  const check = new DeviceCheck()
  check.watchDevices()()
  expect(check.getState()).toMatchObject({ microphones: [], cameras: [], speakers: [] })
})

describe('a check that starts with remembered choices', () => {
  test.each([
    { isCameraOn: true, kinds: ['audio', 'video'] },
    { isCameraOn: false, kinds: ['audio'] },
  ])('asks for $kinds when the camera is to be on: $isCameraOn', async ({ isCameraOn, kinds }) => {
    const check = new DeviceCheck()
    await check.startAsWished({ isCameraOn })
    expect(asked).toEqual([kinds])
    expect(check.getState().camera.status).toBe(isCameraOn ? 'ready' : 'off')
  })

  test('drops the request for a camera that is turned off while the browser asks', async () => {
    const check = new DeviceCheck()
    const { mediaDevices } = navigator
    const getUserMedia = mediaDevices.getUserMedia.bind(mediaDevices)
    mediaDevices.getUserMedia = async (constraints) => {
      if (constraints?.video !== undefined && constraints.audio !== undefined) {
        check.turnOff('camera')
        throw new DOMException('', 'NotAllowedError')
      }
      return getUserMedia(constraints)
    }
    await check.startAsWished({ isCameraOn: true })
    expect(asked).toEqual([['audio']])
    expect(check.getState()).toMatchObject({
      microphone: { status: 'ready' },
      camera: { status: 'off' },
    })
  })
})

test.each(['microphone', 'camera'] as const)(
  'a check that ends while the browser asks for both asks for no %s alone',
  async (kind) => {
    const check = new DeviceCheck()
    navigator.mediaDevices.getUserMedia = async (constraints) => {
      asked.push(Object.keys(constraints ?? {}))
      check.stop()
      throw new DOMException('', 'NotReadableError')
    }
    await check.start({})
    expect(asked).toEqual([['audio', 'video']])
    expect(check.getState()[kind]).toEqual({ status: 'off' })
  },
)

describe('a camera with its background blurred', () => {
  test('is never shown without the blur, and ends with its blur', async () => {
    const { check, blurs, shown } = checkWith({ canBlur: true })
    await check.start({})
    const blurred = { status: 'ready', track: { id: 'blurred' } }
    expect(check.getState().camera).toEqual(blurred)
    expect(shown.filter((camera) => (camera as { track?: unknown }).track === cameras[0])).toEqual(
      [],
    )
    expect(shown).toContainEqual({ status: 'blurring' })
    check.turnOff('camera')
    expect(check.getState().camera).toEqual({ status: 'off' })
    expect(cameras).toMatchObject([{ isOn: false }])
    expect(blurs.isOver).toBe(true)
  })

  test('is off if it cannot be blurred, until it is wanted without blur', async () => {
    const { check } = checkWith({ canBlur: false })
    await check.start({})
    expect(check.getState().camera).toEqual({ status: 'failed', problem: 'blur' })
    expect(cameras).toMatchObject([{ isOn: false }])
    await check.blur(false, undefined)
    expect(check.getState().camera).toEqual({ status: 'ready', track: cameras[1] })
  })

  test('is off if the blur fails later', async () => {
    const { check, blurs } = checkWith({ canBlur: true })
    await check.start({})
    blurs.fail()
    expect(check.getState().camera).toEqual({ status: 'failed', problem: 'blur' })
    expect(cameras).toMatchObject([{ isOn: false }])
  })

  test('that is off stays off when the choice changes', async () => {
    const { check } = checkWith({ canBlur: true })
    await check.blur(false, undefined)
    await check.blur(true, undefined)
    expect(check.getState().camera).toEqual({ status: 'off' })
    expect(cameras).toEqual([])
  })
})
