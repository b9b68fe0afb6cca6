import { createApp } from '@interview-room/server/src/app.ts'
import { loadConfig } from '@interview-room/server/src/platform/config/config.ts'
import { openDb } from '@interview-room/server/src/platform/db/db.ts'
import { createSwitchedMedia } from '@interview-room/server/src/platform/sandbox/switched-media.ts'
import { createTestDeps, TEST_ENVIRONMENT } from '@interview-room/server/src/testing/deps.ts'
import { createFakeMedia } from '@interview-room/server/src/testing/fake-media.ts'
import type { RequestParts } from '../http-connection.ts'
import { PUBLIC_URL } from '../service-process.ts'
import type { Floor, Step } from './floor.ts'
import type { Operation } from './operations.ts'

export interface Recorder {
  /** Serves the request twice, because the first one fills caches, and records the second. */
  record(operation: Pick<Operation, 'sample' | 'status'>): Promise<Floor>
  close(): Promise<void>
}

interface Recorded {
  databaseUrl: string
  secretsKey: Buffer
  /** Ids that are the same in every request. */
  constant: readonly string[]
}

/** Runs the service's own code on the database and records what it sends. So floors follow its changes. */
export async function openRecorder(recorded: Recorded): Promise<Recorder> {
  const { databaseUrl, secretsKey, constant } = recorded
  let steps: Step[] = []
  const db = openDb({
    url: databaseUrl,
    poolSize: 1,
    applicationName: 'bench-recorder',
    onStatement({ text, values = [] }, isBehind) {
      // Hints follow after commits, for many requests together.
      if (text.includes('pg_notify(channel, payload)')) return
      const last = steps.at(-1)
      const trips = last === undefined || last === 'provider' ? [] : last
      if (trips !== last) steps.push(trips)
      const statement = { text: text.trim(), values }
      const trip = trips.at(-1)
      if (isBehind && trip !== undefined) trip.push(statement)
      else trips.push([statement])
    },
  })
  const media = createFakeMedia()
  media.onCall = (call) => {
    if (call.startsWith('ensureRoom')) steps.push('provider')
  }
  const config = loadConfig({
    ...TEST_ENVIRONMENT,
    PUBLIC_URL,
    SECRETS_KEY: secretsKey.toString('base64'),
  })
  const switched = createSwitchedMedia(db, { real: media, simulated: media })
  const app = await createApp(createTestDeps({ db, media: switched, config }))

  async function serve({ method, path, authorization, body }: RequestParts) {
    steps = []
    const headers = { authorization }
    const payload = body === undefined ? {} : { payload: body as object }
    return app.inject({ method, url: path, headers, ...payload })
  }

  return {
    async record({ sample, status }) {
      await serve(sample().request)
      const known = [...constant, ...idsIn(steps)]
      const { request, values } = sample()
      const { statusCode, body } = await serve(request)
      if (statusCode !== status) throw new Error(`${statusCode} ${body}`)
      const fresh = idsIn(steps).filter((id) => !values.includes(id) && !known.includes(id))
      return { steps, samples: values, fresh, answer: JSON.parse(body).data ?? null }
    },
    async close() {
      await app.close()
      await db.end()
    },
  }
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

function idsIn(steps: readonly Step[]): string[] {
  return [...new Set(JSON.stringify(steps).match(UUID))]
}
