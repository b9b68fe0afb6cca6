const MEASURE_EVERY_MS = 100
/** 170 ms at 48 kHz. This is longer than the time between measurements, so no sound is missed. */
const SAMPLES = 8192

/**
 * Measures the loudness of a microphone ten times a second: root mean square, 0..1; undefined while the browser does not
 * let the page listen. It listens to a clone, so that it works while the track itself is muted. Returns a function that
 * stops it.
 */
export function watchLevel(
  track: MediaStreamTrack,
  onLevel: (level: number | undefined) => void,
): () => void {
  const ear = track.clone()
  ear.enabled = true
  // Nobody listens to it, and larger buffers need half the work.
  const context = new AudioContext({ latencyHint: 'playback' })
  const analyser = new AnalyserNode(context, { fftSize: SAMPLES })
  context.createMediaStreamSource(new MediaStream([ear])).connect(analyser)

  const samples = new Float32Array(SAMPLES)
  const timer = setInterval(() => {
    // A context that was created without a tap, or was suspended by a phone call, has to be resumed.
    if (context.state !== 'running') {
      void context.resume().catch(() => {})
      onLevel(undefined)
      return
    }
    analyser.getFloatTimeDomainData(samples)
    onLevel(loudness(samples))
  }, MEASURE_EVERY_MS)

  return () => {
    clearInterval(timer)
    ear.stop()
    void context.close().catch(() => {})
  }
}

function loudness(samples: Float32Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return Math.sqrt(sum / samples.length)
}
