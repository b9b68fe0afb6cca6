interface PlayOptions {
  /** The chosen speaker, where the browser can use one. */
  speakerId?: string | undefined
  /** Ends it early. */
  stopped?: AbortSignal
}

/** Plays a sound once. Resolves at its end, also where the system ends it; throws where it cannot be played, or is stopped. */
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
      // A phone call, or a headset that is taken off: it does not continue, and its end never comes.
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

/** Records a microphone for the given time. Throws where it is stopped before. */
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
  // It stops without a request, too, when the microphone is gone.
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
