import { listenToRoom } from '@interview-room/media-server/src/recorder/listen-to-room.ts'
import { createSoundDecoders } from './sound-decoders.ts'

/** A media room to listen to, or the end of that. */
type ListenMessage = ListenOrder | { id: number; isOver: true }

export interface ListenOrder {
  id: number
  /** http(s) address of the LiveKit server. */
  url: string
  token: string
}

/** Sound of a microphone, or the end of the listening. */
export type ListenNews =
  | { id: number; identity: string; track: string; pcm: Int16Array }
  /** `problem`: undefined if the media room has ended, or the listening is over. */
  | { id: number; problem: string | undefined }

process.on('disconnect', () => process.exit())
// Ctrl-C reaches the whole group; the parent of this process ends it.
process.on('SIGINT', () => {})
// The WebRTC library throws some errors of connections out of reach of their rooms, which then end by their own time limit.
process.on('uncaughtException', () => {})
process.on('unhandledRejection', () => {})

const rooms = new Map<number, AbortController>()

process.on('message', (message: ListenMessage) => {
  if ('isOver' in message) rooms.get(message.id)?.abort()
  else void listen(message)
})

async function listen({ id, url, token }: ListenOrder): Promise<void> {
  const over = new AbortController()
  rooms.set(id, over)
  const decoders = createSoundDecoders(({ identity, track }, pcm) => {
    if (!over.signal.aborted) tell({ id, identity, track, pcm })
  })
  const problem = await listenToRoom({
    url,
    token,
    signal: over.signal,
    hear: (packet) => decoders.decode(packet),
  }).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : 'unknown'),
  )
  rooms.delete(id)
  decoders.free()
  tell({ id, problem })
}

function tell(news: ListenNews): void {
  process.send?.(news)
}
