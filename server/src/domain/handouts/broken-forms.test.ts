import { expect, test } from 'vitest'
import { deleteObjectsJob } from '../../platform/storage/delete-objects.job.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { file, multipartOf, SAMPLES } from '../../testing/multipart.ts'
import { runJobs } from '../../testing/run-jobs.ts'

const plane = useControlPlane()

const { payload: WHOLE, contentType } = multipartOf([
  ['sort', '1'],
  ['file', file('plan.png', SAMPLES.png)],
  ['content_type', 'image'],
  ['external_type', 'A'],
  ['external_id', 'x'],
])
const BOUNDARY = contentType.split('boundary=')[1] ?? ''
const INSERTED = [
  '\r\n',
  '--',
  `\r\n--${BOUNDARY}\r\n`,
  `\r\n--${BOUNDARY}--\r\n`,
  '\0',
  '"',
  ';',
  "filename*=UTF-8''%ff%zz.png",
  'Content-Type: application/json',
  '\u00ff',
].map((text) => Buffer.from(text, 'latin1'))
const STEP = 7
const STATUSES = [201, 400, 422]

async function statusOf(sessionId: string, payload: Buffer): Promise<number> {
  const { status } = await plane.tenant.send({
    method: 'POST',
    url: `/api/v1/sessions/${sessionId}/handouts`,
    payload,
    headers: { 'content-type': contentType },
  })
  return status
}

test('a form that is cut, changed or extended anywhere is accepted or refused, and leaves no file without a handout', async () => {
  const { session } = await plane.book()
  const seen = new Set<number>()
  for (let at = 1; at < WHOLE.length; at += STEP) {
    const changed = Buffer.from(WHOLE)
    changed[at] = (changed[at] ?? 0) ^ 0x55
    const inserted = INSERTED[at % INSERTED.length] ?? WHOLE
    const broken = [
      WHOLE.subarray(0, at),
      changed,
      Buffer.concat([WHOLE.subarray(0, at), inserted, WHOLE.subarray(at)]),
      Buffer.concat([WHOLE.subarray(0, at), WHOLE.subarray(at + STEP)]),
    ]
    for (const payload of broken) seen.add(await statusOf(session.id, payload))
  }
  expect([...seen].filter((status) => !STATUSES.includes(status))).toEqual([])
  expect(seen).toEqual(new Set(STATUSES))

  await runJobs(plane.database.db, deleteObjectsJob(plane.deps))
  const rows = await plane.database.db`select storage_key as key from handouts`
  expect([...plane.storage.objects.keys()].toSorted()).toEqual(
    rows.map(({ key }) => String(key)).toSorted(),
  )
})
