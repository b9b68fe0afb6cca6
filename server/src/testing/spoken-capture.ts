import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { packCapture } from '@interview-room/composer/capture/capture-archive.ts'
import {
  type CaptureEvent,
  encodeCaptureEvent,
} from '@interview-room/composer/capture/capture-events.ts'
import { encodeRecord } from '@interview-room/composer/capture/rtp-log.ts'
import { findFfmpeg } from '../platform/media-files/find-ffmpeg.ts'
import { COUNTER_RATE, tonesOf } from './spoken-counter.ts'

/** A number that somebody says, and when. */
export interface Utterance {
  identity: string
  number: string
  atSec: number
}

const PACKET_MS = 20
const LOUD = 10
const SILENT = 127

/** The capture of people who say these numbers, as the media server would have written it. */
export async function captureOf(
  utterances: readonly Utterance[],
  { startMs, lengthSec }: { startMs: number; lengthSec: number },
): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'interview-room-spoken-'))
  try {
    const capture = path.join(folder, 'capture')
    await mkdir(capture)
    const identities = [...new Set(utterances.map(({ identity }) => identity))]
    const events: CaptureEvent[] = identities.flatMap((identity): CaptureEvent[] => {
      const whose = { atMs: startMs, participant: `PA_${identity}` }
      const track = { track: `TR_${identity}`, role: 'microphone', isMuted: false } as const
      return [
        { fact: 'joined', ...whose, identity, name: identity },
        { fact: 'published', ...whose, ...track },
      ]
    })
    events.push({ fact: 'active', atMs: startMs })
    events.push({ fact: 'stopped', atMs: startMs + lengthSec * 1000 })
    const facts = Buffer.concat(events.map((event) => encodeCaptureEvent(event)))
    await writeFile(path.join(capture, 'facts.jsonl'), facts)
    for (const [index, identity] of identities.entries()) {
      const own = utterances.filter((each) => each.identity === identity)
      const log = await logOf(samplesOf(own, lengthSec), { startMs, ssrc: index + 1 })
      await writeFile(path.join(capture, `TR_${identity}.rtp`), log)
    }
    await packCapture(capture, `${capture}.capture`)
    return await readFile(`${capture}.capture`)
  } finally {
    await rm(folder, { recursive: true })
  }
}

function samplesOf(utterances: readonly Utterance[], lengthSec: number): Buffer {
  const samples = Buffer.alloc(2 * Math.round(lengthSec * COUNTER_RATE))
  for (const { number, atSec } of utterances) {
    tonesOf(number).copy(samples, 2 * Math.round(atSec * COUNTER_RATE))
  }
  return samples
}

async function logOf(
  samples: Buffer,
  { startMs, ssrc }: { startMs: number; ssrc: number },
): Promise<Buffer> {
  const packets = await opusPackets(samples)
  const sizeOf = (2 * COUNTER_RATE * PACKET_MS) / 1000
  return Buffer.concat(
    packets.flatMap((payload, index) => {
      const [atMs, timestamp] = [startMs + index * PACKET_MS, index * PACKET_MS * 48]
      const isLoud = samples.subarray(index * sizeOf, (index + 1) * sizeOf).some((byte) => byte > 0)
      const packet = encodeRecord({
        kind: 'packet',
        atMs,
        ssrc,
        sequenceNumber: index % 2 ** 16,
        timestamp,
        level: isLoud ? LOUD : SILENT,
        payload,
        layer: 0,
        isLast: true,
      })
      const report = { kind: 'report', atMs, ssrc, senderMs: atMs, timestamp } as const
      return (index * PACKET_MS) % 1000 === 0 ? [packet, encodeRecord(report)] : [packet]
    }),
  )
}

/** Sound of 16 kHz as packets of Opus of 20 ms. */
export const opusPackets = async (samples: Buffer): Promise<Buffer[]> =>
  packetsOf(await opusOf(samples))

async function opusOf(samples: Buffer): Promise<Buffer> {
  const input = `-v error -f s16le -ar ${COUNTER_RATE} -ac 1 -i pipe:0`
  const output = `-c:a libopus -vbr off -b:a 64k -frame_duration ${PACKET_MS} -f ogg pipe:1`
  const ffmpeg = spawn(await findFfmpeg(undefined), `${input} ${output}`.split(' '), {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const closed = once(ffmpeg, 'close')
  ffmpeg.stdin.end(samples)
  const ogg = await buffer(ffmpeg.stdout)
  await closed
  return ogg
}

/** The packets of an Ogg stream without its two headers. Each is shorter than a segment. */
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
  return packets.slice(2)
}
