import { setPriority } from 'node:os'
import { type ImageProblem, judgeImage } from './judge-image.ts'
import type { ImageType } from './whole-image.ts'

/** An image for the process that decodes; what it answers is an `ImageProblem`. */
export interface ImageOrder {
  bytes: Uint8Array
  type: ImageType
  maxPixels: number
}

/** Rooms come first: below everything that answers somebody. */
const NICENESS = 10

setPriority(NICENESS)
process.on('disconnect', () => process.exit())
// Ctrl-C reaches the whole group; whoever started this process ends it.
process.on('SIGINT', () => {})
process.on('message', (order: ImageOrder) => void answer(order))
tell('ready')

async function answer({ bytes, ...wanted }: ImageOrder): Promise<void> {
  tell(await judgeImage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), wanted))
}

function tell(word: 'ready' | ImageProblem): void {
  process.send?.({ word })
}
