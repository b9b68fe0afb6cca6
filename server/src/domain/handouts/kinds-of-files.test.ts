import { probeExhibit } from '@interview-room/composer/probe-exhibit.ts'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../platform/config/config.ts'
import { findFfmpeg } from '../../platform/media-files/find-ffmpeg.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { TEST_ENVIRONMENT } from '../../testing/deps.ts'
import { CORPUS, isAccepted } from '../../testing/media-corpus.ts'
import { file, SAMPLES, sendForm } from '../../testing/multipart.ts'
import { IS_FULL_RUN } from '../../testing/scope.ts'
import { shownFileOf } from './handout.ts'
import { findHandout } from './store.ts'

/** Each kind is encoded and decoded, so every third is enough for a day. */
const KINDS = CORPUS.filter((_each, n) => IS_FULL_RUN || n % 3 === 0)

const plane = useControlPlane()

async function register(kind: 'image' | 'video', fileName: string, body: Buffer) {
  const { session } = await plane.book()
  return sendForm(plane.tenant, `POST /sessions/${session.id}/handouts`, {
    parts: [
      ['file', file(fileName, body)],
      ['content_type', kind],
    ],
  })
}

const keyOf = ({ id }: { id: string }) => ({
  tenantId: plane.tenant.tenantId,
  handoutId: id,
})

describe('a file that browsers show, or that gets a rendition', () => {
  test.each(KINDS.filter(isAccepted))(
    'is a handout, and recordings draw it: $kind, $name',
    async ({ kind, fileName, make }) => {
      const { status, data } = await register(kind, fileName, await make())
      expect(status).toBe(201)
      const { storageKey } = shownFileOf((await findHandout(plane.database.db, keyOf(data)))!)
      const location = await plane.storage.locate(storageKey, { forSec: 60 })
      if (location.kind !== 'path') throw new Error('the storage of this test is a folder')
      const exhibit = { kind, file: location.path }
      const media = await probeExhibit(await findFfmpeg(undefined), exhibit)
      expect(media).toMatchObject({ width: expect.any(Number), height: expect.any(Number) })
    },
  )
})

describe('a file that nothing can show', () => {
  // contract: registerHandout › 422 UNSUPPORTED_FILE_TYPE: a video without pictures that can be decoded, or cut off
  test.each(KINDS.filter((each) => !isAccepted(each)))(
    'is 422 UNSUPPORTED_FILE_TYPE: $kind, $name',
    async ({ kind, fileName, make }) => {
      const answer = await register(kind, fileName, await make())
      expect([answer.status, answer.code]).toEqual([422, 'UNSUPPORTED_FILE_TYPE'])
      expect(answer.details).toEqual([['file', 'CONTENT_MISMATCH']])
    },
  )
})

describe('a service without ffmpeg', () => {
  const config = loadConfig({ ...TEST_ENVIRONMENT, FFMPEG_PATH: '/nowhere/ffmpeg' })
  const bare = useControlPlane({ config })

  test.each([
    ['takes a video with complete boxes', SAMPLES.mp4, 201],
    ['refuses one that was cut off', SAMPLES.mp4.subarray(0, 820), 422],
  ])('%s', async (_what, body, status) => {
    const { session } = await bare.book()
    const parts = [
      ['file', file('film.mp4', body)],
      ['content_type', 'video'],
    ] as const
    const answer = await sendForm(bare.tenant, `POST /sessions/${session.id}/handouts`, { parts })
    expect(answer.status).toBe(status)
  })
})
