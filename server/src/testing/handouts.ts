import { file, SAMPLES, sendForm, type TestParts } from './multipart.ts'
import type { TenantClient } from './tenant-client.ts'

const PARTS: Record<'image' | 'video', TestParts> = {
  image: [
    ['file', file('plan.png', SAMPLES.png)],
    ['content_type', 'image'],
  ],
  video: [
    ['file', file('film.mp4', SAMPLES.mp4)],
    ['content_type', 'video'],
  ],
}

interface HandoutOptions {
  kind?: 'image' | 'video'
  sort?: number
  title?: string
}

/** A handout of this session, as it was answered. */
export async function addHandout(
  plane: { tenant: TenantClient },
  sessionId: string,
  { kind = 'image', sort = 0, title }: HandoutOptions = {},
) {
  const parts: TestParts = [
    ...PARTS[kind],
    ['sort', String(sort)],
    ...(title === undefined ? [] : [['title', title] as const]),
  ]
  const answer = await sendForm(plane.tenant, `POST /sessions/${sessionId}/handouts`, { parts })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.data
}
