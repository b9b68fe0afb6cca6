export interface GeneratedAudio {
  track: MediaStreamTrack
  stop(): void
}

const PITCH_HZ = 160
const SYLLABLES_HZ = 4
const NOISE_SEC = 2
/** Quiet, because a recorded test contains it. At a lower volume the codec would send less. */
const NOISE = 0.1

/** A hum that rises and falls like words, so that the codec has as much to send as for a voice. */
export function openHum(): GeneratedAudio {
  return openAudio((context, out) => {
    const voice = new OscillatorNode(context, { type: 'sawtooth', frequency: PITCH_HZ })
    const loudness = new GainNode(context, { gain: 0.3 })
    const syllables = new OscillatorNode(context, { frequency: SYLLABLES_HZ })
    const depth = new GainNode(context, { gain: 0.15 })
    voice.connect(loudness).connect(out)
    syllables.connect(depth).connect(loudness.gain)
    voice.start()
    syllables.start()
  })
}

/** Noise cannot be compressed, so the codec uses any bitrate that it is given. */
export function openNoise(): GeneratedAudio {
  return openAudio((context, out) => {
    const length = NOISE_SEC * context.sampleRate
    const buffer = new AudioBuffer({ length, sampleRate: context.sampleRate })
    const samples = buffer.getChannelData(0)
    for (let index = 0; index < length; index += 1) samples[index] = NOISE * (2 * Math.random() - 1)
    const noise = new AudioBufferSourceNode(context, { buffer, loop: true })
    noise.connect(out)
    noise.start()
  })
}

function openAudio(
  play: (context: AudioContext, out: MediaStreamAudioDestinationNode) => void,
): GeneratedAudio {
  const context = new AudioContext()
  const out = context.createMediaStreamDestination()
  play(context, out)
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
