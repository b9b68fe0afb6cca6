import { onTestFinished } from 'vitest'
import { liveTextJob } from '../domain/recording/live-text/live-text.job.ts'
import type { ControlPlane } from './control-plane.ts'
import type { Guest } from './live-room.ts'
import { createScriptedEngine } from './scripted-engine.ts'
import { waitFor } from './wait-for.ts'

const FRAME = 320

function frames(seconds: number, volume: number): Int16Array[] {
  return Array.from({ length: seconds * 50 }, () =>
    Int16Array.from({ length: FRAME }, (_, at) => volume * Math.sin(at / 3)),
  )
}

export const speech = (seconds: number) => frames(seconds, 8000)
export const silence = (seconds: number) => frames(seconds, 20)

/** A process that listens to the room, until it is stopped or the test ends. */
export async function listenTo(
  plane: ControlPlane,
  roomId: string,
  engine = createScriptedEngine(),
) {
  const stopping = new AbortController()
  const stop = () => stopping.abort(new Error('stop'))
  const ended = liveTextJob(plane.deps, [engine]).run({
    key: roomId,
    payload: {},
    attempt: 1,
    signal: stopping.signal,
    log: plane.deps.log,
  })
  ended.catch(() => {})
  onTestFinished(async () => {
    stop()
    await ended.catch(() => {})
  })
  await waitFor(() => plane.media.listeners.has(roomId))
  const hear = plane.media.listeners.get(roomId)
  return {
    engine,
    ended,
    stop,
    /** The newest stream. */
    stream: () => engine.streams.at(-1),
    say: ({ participantId: identity }: Guest, sound: readonly Int16Array[]) => {
      for (const pcm of sound) hear?.({ identity, track: 'TR_1', pcm })
    },
  }
}
