import { describe, expect } from 'vitest'
import { test } from './harness/fixtures.ts'

/** The library's own check of a connection, which a device test page would offer. */
describe("livekit-client's connection check", () => {
  for (const check of [
    'checkWebsocket',
    'checkWebRTC',
    'checkReconnect',
    'checkPublishAudio',
    'checkPublishVideo',
  ] as const) {
    test(`passes ${check}`, async ({ open, stage, token }) => {
      const client = await open()
      const result = await client.run(
        async ({ livekit }, { url, token, check }) => {
          if (check === 'checkPublishAudio') {
            // The check listens for one second, and could miss the beep of the browser's own microphone.
            const audio = new AudioContext()
            const microphone = audio.createMediaStreamDestination()
            const tone = audio.createOscillator()
            tone.connect(microphone)
            tone.start()
            navigator.mediaDevices.getUserMedia = async () => microphone.stream
          }
          const { name, status, logs } = await new livekit.ConnectionCheck(url, token)[check]()
          return { name, status, logs }
        },
        { url: stage.url, token: await token('alice'), check },
      )

      expect(result, JSON.stringify(result.logs)).toMatchObject({ status: 3 }) // SUCCESS
    })
  }
})
