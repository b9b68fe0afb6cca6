import type { Vp8Descriptor } from '@interview-room/composer/vp8-descriptor.ts'

/** A copy of the payload with picture id and temporal index moved by the given amounts. */
export function shiftVp8(
  payload: Buffer,
  descriptor: Vp8Descriptor,
  shift: { pictureId: number; tl0PicIdx: number },
): Buffer {
  const { pictureId, tl0PicIdx } = descriptor
  if (pictureId === undefined && tl0PicIdx === undefined) return payload

  const out = Buffer.from(payload)
  if (pictureId?.bits === 15) {
    out.writeUInt16BE(0x8000 | ((pictureId.value + shift.pictureId) & 0x7fff), pictureId.offset)
  } else if (pictureId !== undefined) {
    out[pictureId.offset] = (pictureId.value + shift.pictureId) & 0x7f
  }
  if (tl0PicIdx !== undefined) out[tl0PicIdx.offset] = (tl0PicIdx.value + shift.tl0PicIdx) & 0xff
  return out
}
