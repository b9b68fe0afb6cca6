/** The fields of a VP8 payload descriptor (RFC 7741) that change when a stream is spliced. */
export interface Vp8Descriptor {
  isKeyFrame: boolean
  /** The fragment is the first of its frame. */
  isFrameStart: boolean
  /** Offset of the frame's own bytes. */
  payloadOffset: number
  pictureId: { offset: number; value: number; bits: 7 | 15 } | undefined
  tl0PicIdx: { offset: number; value: number } | undefined
}

/** Reads the descriptor in front of a VP8 frame fragment; undefined if the payload is cut short. */
export function parseVp8(payload: Buffer): Vp8Descriptor | undefined {
  const first = payload[0]
  if (first === undefined) return undefined

  const hasExtension = (first & 0x80) !== 0
  const startsFrame = (first & 0x10) !== 0 && (first & 0x07) === 0
  const flags = hasExtension ? payload[1] : 0
  if (flags === undefined) return undefined

  let offset = hasExtension ? 2 : 1
  const pictureId = (flags & 0x80) === 0 ? undefined : readPictureId(payload, offset)
  if (pictureId !== undefined) offset += pictureId.bits === 15 ? 2 : 1

  let tl0PicIdx: Vp8Descriptor['tl0PicIdx']
  if ((flags & 0x40) !== 0) {
    tl0PicIdx = { offset, value: payload[offset] ?? 0 }
    offset++
  }
  if ((flags & 0x30) !== 0) offset++

  const frameHeader = payload[offset]
  if (frameHeader === undefined) return undefined
  return {
    isKeyFrame: startsFrame && (frameHeader & 0x01) === 0,
    isFrameStart: startsFrame,
    payloadOffset: offset,
    pictureId,
    tl0PicIdx,
  }
}

function readPictureId(payload: Buffer, offset: number): Vp8Descriptor['pictureId'] {
  const head = payload[offset] ?? 0
  if ((head & 0x80) === 0) return { offset, value: head & 0x7f, bits: 7 }
  return { offset, value: ((head & 0x7f) << 8) | (payload[offset + 1] ?? 0), bits: 15 }
}
