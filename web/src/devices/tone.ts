const SAMPLE_RATE = 24_000
const WAV_HEADER_BYTES = 44
/** Two soft notes, a fifth apart. */
const NOTES_HZ = [523.25, 783.99]
const NOTE_SEC = 0.45
const LOUDNESS = 0.35

/** A short chime as a WAV file: 16-bit mono. An audio element can play it on the chosen speaker. */
export function chime(): Blob {
  const samplesPerNote = Math.round(NOTE_SEC * SAMPLE_RATE)
  const view = new DataView(
    new ArrayBuffer(WAV_HEADER_BYTES + NOTES_HZ.length * samplesPerNote * 2),
  )
  writeHeader(view)
  for (const [note, hz] of NOTES_HZ.entries()) {
    for (let index = 0; index < samplesPerNote; index += 1) {
      const at = WAV_HEADER_BYTES + (note * samplesPerNote + index) * 2
      view.setInt16(at, sampleAt(hz, index / SAMPLE_RATE) * 32_767, true)
    }
  }
  return new Blob([view.buffer], { type: 'audio/wav' })
}

function sampleAt(hz: number, sec: number): number {
  const attack = Math.min(1, sec / 0.02)
  const decay = Math.max(0, 1 - sec / NOTE_SEC) ** 1.5
  return Math.sin(2 * Math.PI * hz * sec) * attack * decay * LOUDNESS
}

function writeHeader(view: DataView): void {
  const dataBytes = view.byteLength - WAV_HEADER_BYTES
  writeText(view, 0, 'RIFF')
  view.setUint32(4, view.byteLength - 8, true)
  writeText(view, 8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, SAMPLE_RATE, true)
  view.setUint32(28, SAMPLE_RATE * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  writeText(view, 36, 'data')
  view.setUint32(40, dataBytes, true)
}

function writeText(view: DataView, at: number, text: string): void {
  for (let index = 0; index < text.length; index += 1) {
    view.setUint8(at + index, text.codePointAt(index) ?? 0)
  }
}
