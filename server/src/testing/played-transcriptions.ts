import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeAll } from 'vitest'
import {
  bindEngines,
  type Engines,
} from '../domain/recording/transcriptions/engines/bind-engines.ts'
import { loadConfig } from '../platform/config/config.ts'
import { findFfmpeg } from '../platform/media-files/find-ffmpeg.ts'
import { TEST_ENVIRONMENT } from './deps.ts'
import {
  type PlayedAnswer,
  type PlayedCall,
  type PlayedVendor,
  playVendor,
} from './played-vendors.ts'
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

/**
 * An ffmpeg that extracts the audio of the one recording once and copies it from then on. The vendor is
 * the subject here, and starting ffmpeg would be most of the work.
 */
async function makeRememberingFfmpeg(file: string): Promise<void> {
  const ffmpeg = await findFfmpeg(undefined)
  const script = `#!/bin/sh
case "$*" in *-encoders*) exec '${ffmpeg}' "$@";; esac
for target; do :; done
cp "$0.flac" "$target" 2>/dev/null && exit
'${ffmpeg}' "$@" && cp "$target" "$0.flac"
`
  await writeFile(file, script, { mode: 0o700 })
}

/** Transcriptions that vendors on a local server are to make. */
export function usePlayedTranscriptions() {
  const transcriptions = useTranscriptions()
  const { plane } = transcriptions
  const programOf = () => path.join(path.dirname(transcriptions.source()), 'ffmpeg')
  beforeAll(() => makeRememberingFfmpeg(programOf()))
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
        const ended = await transcriptions.run(started, engines, {
          ffmpegPath: programOf(),
        })
        if (ended.outcome !== 'again') return undefined
        return (ended.at.getTime() - plane.now.getTime()) / 1000
      },
      submissions: () => server.calls.filter((call) => vendor.isSubmission(call)).length,
      read: () => transcriptions.read(started),
      reported: () => transcriptions.webhooks(started),
      result: () => transcriptions.result(started),
    }
  }
  return { transcriptions, play }
}

/** Answers that to some calls, and the usual to others. */
export function answering(
  isMeant: (call: PlayedCall) => boolean,
  { played, usual }: { played: PlayedAnswer; usual: PlayedVendor['usual'] },
): PlayedVendor['usual'] {
  return (call) => (isMeant(call) ? played : usual(call))
}
