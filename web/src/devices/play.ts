interface PlayOptions {
  /** The chosen speaker, if the browser supports the choice. */
  speakerId?: string | undefined
  /** Stops it early. */
  stopped?: AbortSignal
}

/**
 * Plays a sound once. Resolves at its end, also if the system stops it. Throws if it cannot be played or is aborted.
 */
export async function playOnce(
  sound: Blob,
  { speakerId, stopped }: PlayOptions = {},
): Promise<void> {
  const address = URL.createObjectURL(sound)
  const audio = new Audio(address)
  try {
    if (speakerId !== undefined && 'setSinkId' in audio) await audio.setSinkId(speakerId)
    stopped?.throwIfAborted()
    const isOver = new Promise((resolve, reject) => {
      audio.addEventListener('ended', resolve, { once: true })
      // After a phone call, or when a headset is taken off, it stays paused and its end never comes.
      audio.addEventListener('pause', resolve, { once: true })
      audio.addEventListener('error', () => reject(new Error('the sound cannot be played')), {
        once: true,
      })
      stopped?.addEventListener('abort', () => reject(stopped.reason as Error), { once: true })
    })
    await Promise.all([audio.play(), isOver])
  } finally {
    audio.pause()
    URL.revokeObjectURL(address)
  }
}

/** Records a microphone for the given time. Throws if it is aborted. */
export async function recordVoice(
  track: MediaStreamTrack,
  durationMs: number,
  stopped: AbortSignal,
): Promise<Blob> {
  const recorder = new MediaRecorder(new MediaStream([track]))
  const parts: Blob[] = []
  recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
  const isStopped = new Promise((resolve) => {
    recorder.addEventListener('stop', resolve, { once: true })
  })
  recorder.start()
  // The recorder also stops on its own when the microphone is gone.
  const stop = () => {
    if (recorder.state !== 'inactive') recorder.stop()
  }
  const timer = setTimeout(stop, durationMs)
  stopped.addEventListener('abort', stop, { once: true })
  await isStopped
  clearTimeout(timer)
  stopped.throwIfAborted()
  return new Blob(parts, { type: recorder.mimeType })
}
