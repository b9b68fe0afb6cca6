import { describe, expect, test } from 'vitest'
import { answering, usePlayedTranscriptions } from '../../../../testing/played-transcriptions.ts'
import type { PlayedAnswer } from '../../../../testing/played-vendors.ts'
import { jobRun } from '../../../../testing/recordings.ts'
import { FIXTURES, HELLO } from '../../../../testing/vendor-answers.ts'
import {
  JOB_ID,
  type VendorFixture,
  type VendorJob,
} from '../../../../testing/vendors/vendor-fixture.ts'
import { cancelAtEngineJob } from '../cancel-at-engine.job.ts'

const { transcriptions, play } = usePlayedTranscriptions()
const { plane } = transcriptions

type WithJob = VendorFixture & { job: VendorJob }
const WITH_JOBS = FIXTURES.filter((vendor): vendor is WithJob => vendor.job !== undefined)

const reported = (body: string, status = 200): PlayedAnswer => ({ status, body })

/** Runs the pending cancellations. Returns the number of requests that the vendor received. */
async function removeLeft(played: Awaited<ReturnType<typeof play>>, job: VendorJob) {
  const { engines, server, started } = played
  const left = await plane.database.db<{ key: string; payload: Record<string, unknown> }[]>`
    delete from jobs where kind = 'cancel-at-engine' and starts_with(key, ${started.id})
    returning key, payload
  `
  for (const each of left) await cancelAtEngineJob(engines).run({ ...jobRun(plane), ...each })
  return server.calls.filter((call) => job.isRemoval(call)).length
}

describe.each(WITH_JOBS.map((vendor) => [vendor.name, vendor] as const))(
  'a long job at %s',
  (_, vendor) => {
    const { job } = vendor
    const usual = vendor.hearing(HELLO)
    const polledWith = (played: PlayedAnswer) =>
      answering((call) => job.isPoll(call), { played, usual })

    test('is polled until it is done, sent once, and deleted afterwards', async () => {
      const played = await play(vendor)
      const { server, run, read, submissions } = played
      server.usual = polledWith(reported(job.pending))
      for (let count = 0; count < 3; count++) expect(await run()).toBeGreaterThanOrEqual(15)
      expect(await read()).toMatchObject({
        status: 'processing',
        provider_transcription_id: JOB_ID,
      })
      server.usual = usual
      expect(await run()).toBeUndefined()
      expect([submissions(), await played.reported()]).toEqual([1, [['done', null]]])
      expect(await removeLeft(played, job)).toBe(1)
    })

    test.each([
      ['500', { status: 500 }, 'vendor_unavailable'],
      ['429', { status: 429 }, 'quota_exceeded'],
      ['no JSON', reported('<html>'), 'vendor_unavailable'],
      ['another form', reported('{"surprise":[]}'), 'vendor_unavailable'],
    ] as const)(
      'that is answered with %s is polled again, not sent again, and then ends as an error',
      async (_answer, answer, reason) => {
        const played = await play(vendor)
        played.server.usual = polledWith(answer)
        const waits = []
        for (let count = 0; count < 3; count++) waits.push(await played.run())
        expect([waits, (await played.read()).status]).toEqual([[30, 120, 600], 'retrying'])
        expect(await played.run()).toBeUndefined()
        expect([played.submissions(), await played.reported()]).toEqual([1, [['error', reason]]])
      },
    )

    test.each([
      ['404', { status: 404 }],
      ['410', { status: 410 }],
      ...job.lost.map(({ says, answer }) => [says, reported(answer)] as const),
    ] as const)(
      'that is lost (%s) is deleted and sent again, three times',
      async (_answer, answer) => {
        const played = await play(vendor)
        played.server.usual = polledWith(answer)
        for (let count = 0; count < 4; count++) await played.run()
        expect(await played.reported()).toEqual([['error', 'vendor_unavailable']])
        expect(played.submissions()).toBe(4)
        played.server.usual = usual
        expect(await removeLeft(played, job)).toBe(4)
      },
    )

    test.each([
      ['401', { status: 401 }, 'vendor_rejected'],
      ['more than anybody says, endlessly', { fate: 'endless' }, 'result_invalid'],
    ] as const satisfies [string, PlayedAnswer, string][])(
      'that is answered with %s is an error immediately',
      async (_answer, answer, reason) => {
        const played = await play(vendor)
        played.server.usual = polledWith(answer)
        expect(await played.run()).toBeUndefined()
        expect([played.submissions(), await played.reported()]).toEqual([1, [['error', reason]]])
        expect(await played.result()).toBeUndefined()
      },
    )

    test.each(job.gaveUp)(
      'that failed permanently at the vendor ends immediately: $says',
      async (end) => {
        const played = await play(vendor)
        const { server, run, submissions } = played
        server.usual = polledWith(reported(job.pending))
        await run()
        server.usual = polledWith(reported(end.answer))
        expect(await run()).toBeUndefined()
        expect([submissions(), await played.reported()]).toEqual([1, [['error', end.reason]]])
      },
    )

    test('without progress for half an hour is sent again, and deleted as soon as possible', async () => {
      const played = await play(vendor)
      const { server, run, submissions } = played
      const before = plane.now
      server.usual = (call) =>
        job.isRemoval(call) && job.tooEarly !== undefined
          ? { status: job.tooEarly }
          : polledWith(reported(job.pending))(call)
      await run()
      plane.now = new Date(before.getTime() + 31 * 60_000)
      expect(await run()).toBe(30)
      plane.now = before
      server.usual = usual
      expect(await run()).toBeUndefined()
      expect([submissions(), await played.reported()]).toEqual([2, [['done', null]]])
      expect(await removeLeft(played, job)).toBe(2)
    })

    test('whose sender died is found by our reference', async () => {
      const { server, run, submissions, started, read } = await play(vendor)
      server.usual = polledWith(reported(job.pending))
      await run()
      await plane.database.db`
        update transcription_parts set provider_id = null where transcription_id = ${started.id}
      `
      const list = reported(job.list(`${started.id}-0-1`))
      server.usual = answering((call) => job.isList(call), { played: list, usual })
      await run()
      expect([(await read()).status, submissions()]).toEqual(['done', 1])
    })
  },
)
