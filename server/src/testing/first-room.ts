import { IMAGES } from './images.ts'

/** Books a room of now on a running service, and adds an image, which a process of its own decodes. Answers the handout. */
export async function bookFirstRoom(origin: string, apiKey: string): Promise<object> {
  async function post<T>(place: string, body: string | FormData): Promise<T> {
    const answer = await fetch(`${origin}/api/v1${place}`, {
      method: 'POST',
      headers: {
        authorization: `ApiKey ${apiKey}`,
        ...(typeof body === 'string' && { 'content-type': 'application/json' }),
      },
      body,
      signal: AbortSignal.timeout(60_000),
    })
    const text = await answer.text()
    if (answer.status !== 201) throw new Error(`${place}: ${text}`)
    return (JSON.parse(text) as { data: T }).data
  }

  const room = {
    kind: 'interview',
    session: {
      external_type: 'Slot',
      external_id: 'first',
      name: 'The first interview',
      starts_at: new Date().toISOString(),
      ends_at: new Date(Date.now() + 3_600_000).toISOString(),
    },
  }
  const booked = await post<{ session: { id: string } }>('/rooms', JSON.stringify(room))
  const handout = new FormData()
  handout.set('content_type', 'image')
  handout.set('sort', '0')
  handout.set('file', new Blob([IMAGES.png]), 'plan.png')
  return post<object>(`/sessions/${booked.session.id}/handouts`, handout)
}
