export interface GeneratedVoice {
  track: MediaStreamTrack
  stop(): void
}

const PITCH_HZ = 160
const SYLLABLES_HZ = 4

/** A hum that rises and falls as words do, so that the codec has as much to say as with a voice. */
export function openHum(): GeneratedVoice {
  const context = new AudioContext()
  const out = context.createMediaStreamDestination()
  const voice = new OscillatorNode(context, { type: 'sawtooth', frequency: PITCH_HZ })
  const loudness = new GainNode(context, { gain: 0.3 })
  const syllables = new OscillatorNode(context, { frequency: SYLLABLES_HZ })
  const depth = new GainNode(context, { gain: 0.15 })
  voice.connect(loudness).connect(out)
  syllables.connect(depth).connect(loudness.gain)
  voice.start()
  syllables.start()
  const [track] = out.stream.getAudioTracks()
  if (track === undefined) throw new Error('the browser makes no sound')
  return {
    track,
    stop: () => {
      track.stop()
      void context.close().catch(() => {})
    },
  }
}
