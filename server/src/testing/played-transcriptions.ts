import { afterEach } from 'vitest'
import { loadConfig } from '../config.ts'
import { bindEngines, type Engines } from '../transcriptions/engines/bind-engines.ts'
import { TEST_ENVIRONMENT } from './deps.ts'
import { type Played, type PlayedCall, type PlayedVendor, playVendor } from './played-vendors.ts'
import { useTranscriptions } from './transcriptions.ts'
import { HELLO } from './vendor-answers.ts'
import type { VendorFixture } from './vendors/vendor-fixture.ts'

/** The engine of a played vendor, bound as the settings say. */
export function engineOf({ name }: Pick<VendorFixture, 'name'>, url: string): Engines {
  const prefix = `TRANSCRIPTION_${name.toUpperCase()}`
  const config = loadConfig({
    ...TEST_ENVIRONMENT,
    TRANSCRIPTION_ENGINE_C: name,
    [`${prefix}_URL`]: url,
    [`${prefix}_KEY`]: 'a-key',
  })
  return bindEngines(config.transcription)
}

/** Transcriptions that vendors on a local server are to make. */
export function usePlayedTranscriptions() {
  const transcriptions = useTranscriptions()
  const { plane } = transcriptions
  const open: PlayedVendor[] = []
  afterEach(() => Promise.all(open.splice(0).map((each) => each.close())))

  async function play(vendor: VendorFixture, body: object = {}) {
    const server = await playVendor(vendor.hearing(HELLO))
    open.push(server)
    const engines = engineOf(vendor, server.url)
    const started = await transcriptions.start(body)
    return {
      server,
      started,
      engines,
      /** Seconds until it wants to run again; undefined when it has ended. */
      run: async (): Promise<number | undefined> => {
        const ended = await transcriptions.run(started, engines)
        if (ended.outcome !== 'again') return undefined
        return (ended.at.getTime() - plane.now.getTime()) / 1000
      },
      submissions: () => server.calls.filter((call) => vendor.isSubmission(call)).length,
      read: () => transcriptions.read(started),
      told: () => transcriptions.webhooks(started),
      result: () => transcriptions.result(started),
    }
  }
  return { transcriptions, play }
}

/** Answers that to some calls, and the usual to others. */
export function answering(
  isMeant: (call: PlayedCall) => boolean,
  { played, usual }: { played: Played; usual: PlayedVendor['usual'] },
): PlayedVendor['usual'] {
  return (call) => (isMeant(call) ? played : usual(call))
}
