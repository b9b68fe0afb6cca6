const HEADER_BYTES = 8
const LONG_HEADER_BYTES = 16
/** First boxes of MPEG-4 and QuickTime files. Those from before `ftyp` begin with one of the others. */
const FIRST = /^(?:ftyp|styp|moov|mdat|wide|free|skip|pnot)$/
/** Boxes without which nothing can be played. If one reaches beyond the end, the file was cut off. */
const NEEDED = new Set(['moov', 'moof', 'mdat'])
/** The box that says that a track is a video. It may have its name and its value in two chunks. */
const VIDEO_TRACK = /hdlr[^]{8}vide/
const VIDEO_TRACK_BYTES = 16

interface Box {
  type: string
  /** Bytes that are still to come. `Infinity`: until the end of the file. */
  restBytes: number
}

/**
 * Follows the boxes of a video file while it streams by. Whether its pictures can be decoded is for others to judge: these are
 * the conditions without which no player can play it, whatever its brand.
 */
export class VideoBoxes {
  readonly #seen = new Set<string>()
  #header = Buffer.alloc(0)
  #box: Box | undefined
  #index = ''
  #hasVideoTrack = false
  #isBroken = false

  push(chunk: Buffer): void {
    let rest = chunk
    while (rest.length > 0 && !this.#isBroken) {
      rest = this.#box === undefined ? this.#readHeader(rest) : this.#readBody(this.#box, rest)
    }
  }

  /** True if the bytes so far cannot be the beginning of a video file. */
  get isBroken(): boolean {
    return this.#isBroken
  }

  /** True if the file, which has ended, has an index with a video track, and all the data that it announces. */
  get isComplete(): boolean {
    const isCut = this.#box !== undefined && Number.isFinite(this.#box.restBytes)
    if (this.#isBroken || (isCut && NEEDED.has(this.#box?.type ?? ''))) return false
    return this.#hasVideoTrack && this.#seen.has('mdat')
  }

  #readHeader(chunk: Buffer): Buffer {
    const header = Buffer.concat([this.#header, chunk.subarray(0, LONG_HEADER_BYTES)])
    const isLong = header.length >= 4 && header.readUInt32BE(0) === 1
    const headerBytes = isLong ? LONG_HEADER_BYTES : HEADER_BYTES
    const taken = headerBytes - this.#header.length
    if (header.length < headerBytes) {
      this.#header = header
      return chunk.subarray(taken)
    }
    this.#header = Buffer.alloc(0)
    this.#open(header.subarray(0, headerBytes))
    return chunk.subarray(taken)
  }

  #open(header: Buffer): void {
    const type = header.toString('latin1', 4, 8)
    if (this.#seen.size === 0 && !FIRST.test(type)) this.#isBroken = true
    this.#seen.add(type)
    const sizeBytes =
      header.length === LONG_HEADER_BYTES
        ? Number(header.readBigUInt64BE(8))
        : header.readUInt32BE(0)
    // Nought stands for the rest of the file. Anything else that is too small is no box, and cameras write such things at the end.
    const restBytes = sizeBytes < header.length ? Infinity : sizeBytes - header.length
    this.#box = restBytes === 0 ? undefined : { type, restBytes }
  }

  #readBody(box: Box, chunk: Buffer): Buffer {
    const body = chunk.subarray(0, box.restBytes)
    if (box.type === 'moov' && !this.#hasVideoTrack) {
      this.#index = this.#index.slice(-VIDEO_TRACK_BYTES) + body.toString('latin1')
      this.#hasVideoTrack = VIDEO_TRACK.test(this.#index)
    }
    box.restBytes -= body.length
    if (box.restBytes === 0) this.#box = undefined
    return chunk.subarray(body.length)
  }
}
