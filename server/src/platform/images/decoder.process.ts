import { setPriority } from 'node:os'
import type { ImageType } from './complete-image.ts'
import { type ImageVerdict, judgeImage } from './judge-image.ts'

/** An image for the decoding process, which answers with an `ImageVerdict`. */
export interface ImageOrder {
  bytes: Uint8Array
  type: ImageType
  maxPixels: number
}

/** Rooms come first: below everything that answers somebody. */
const NICENESS = 10

setPriority(NICENESS)
process.on('disconnect', () => process.exit())
// Ctrl-C reaches the whole group; the parent of this process ends it.
process.on('SIGINT', () => {})
process.on('message', (order: ImageOrder) => void answer(order))
send('ready')

async function answer({ bytes, ...wanted }: ImageOrder): Promise<void> {
  send(await judgeImage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), wanted))
}

function send(answer: 'ready' | ImageVerdict): void {
  process.send?.({ answer })
}
