/** Plays a sound once, on the chosen speaker where the browser can. Resolves at its end. */
export async function playOnce(sound: Blob, speakerId: string | undefined): Promise<void> {
  const address = URL.createObjectURL(sound)
  const audio = new Audio(address)
  try {
    if (speakerId !== undefined && 'setSinkId' in audio) await audio.setSinkId(speakerId)
    const isOver = new Promise((resolve, reject) => {
      audio.addEventListener('ended', resolve, { once: true })
      audio.addEventListener('error', () => reject(new Error('the sound cannot be played')), {
        once: true,
      })
    })
    await audio.play()
    await isOver
  } finally {
    URL.revokeObjectURL(address)
  }
}

/** Records a microphone for the given time. */
export async function recordVoice(track: MediaStreamTrack, durationMs: number): Promise<Blob> {
  const recorder = new MediaRecorder(new MediaStream([track]))
  const parts: Blob[] = []
  recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
  const isStopped = new Promise((resolve) => {
    recorder.addEventListener('stop', resolve, { once: true })
  })
  recorder.start()
  setTimeout(() => recorder.stop(), durationMs)
  await isStopped
  return new Blob(parts, { type: recorder.mimeType })
}
