import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findFfmpeg } from '../src/find-ffmpeg.ts'

const run = promisify(execFile)
export const program = findFfmpeg(process.env) ?? 'ffmpeg'

export async function ffmpeg(args: string): Promise<Buffer> {
  const options = { encoding: 'buffer', maxBuffer: 256 * 1024 * 1024 } as const
  return (await run(program, ['-v', 'error', ...args.split(' ')], options)).stdout
}

/** A key frame of one colour, as the payload of one packet. */
export async function videoOf(colour: string, size = '64x48'): Promise<Buffer> {
  const source = `-f lavfi -i color=${colour}:s=${size}:r=10:d=0.1`
  const ivf = await ffmpeg(`${source} -c:v libvpx -g 1 -f ivf pipe:1`)
  const [fileHead, frameHead] = [32, 12]
  const sizeBytes = ivf.readUInt32LE(fileHead)
  const frame = ivf.subarray(fileHead + frameHead, fileHead + frameHead + sizeBytes)
  const startOfFrame = 0x10
  return Buffer.concat([Buffer.from([startOfFrame]), frame])
}

/** A packet of 20 ms from the middle of a sound. */
export async function audioOf(source: string): Promise<Buffer> {
  const opus = '-ac 1 -c:a libopus -vbr off -b:a 32k -frame_duration 20'
  const ogg = await ffmpeg(`-f lavfi -i ${source} -t 0.5 ${opus} -f ogg pipe:1`)
  return packetsOf(ogg)[12] as Buffer
}

function packetsOf(ogg: Buffer): Buffer[] {
  const packets: Buffer[] = []
  for (let page = ogg.indexOf('OggS'); page !== -1;) {
    const sizes = ogg.subarray(page + 27, page + 27 + ogg.readUInt8(page + 26))
    let at = page + 27 + sizes.length
    for (const size of sizes) {
      packets.push(ogg.subarray(at, at + size))
      at += size
    }
    page = ogg.indexOf('OggS', at)
  }
  return packets
}
