import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { machine } from '../machine.ts'
import { cpuSecOf, cpuSecOfChildren } from '../process-usage.ts'
import { type Stage, setStage } from '../recording-stage.ts'
import { median, round } from '../statistics.ts'
import { cutPlainly, makeInterview } from './interview.ts'

const LOOK_EVERY_MS = 20

interface Cost {
  /** Seconds on the clock. */
  wallSec: number
  cpuSec: number
}

interface Round {
  service: Cost
  plain: Cost
}

/** Compares the time from the POST of a trim to `available` with plain ffmpeg making the same cut. */
export async function measureTrim(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '600' },
      clip: { type: 'string', default: '120' },
    },
  })
  const [seconds, clip] = [Number(values.seconds), Number(values.clip)]
  const stage = await setStage({
    seconds,
    video: (ffmpeg, file) => makeInterview(ffmpeg, { file, seconds }),
  })
  try {
    const startSec = (seconds - clip) / 2
    const range = { startSec, endSec: startSec + clip }
    await both(stage, range, 0)
    const rounds: Round[] = []
    for (let number = 1; number <= Number(values.rounds); number += 1) {
      rounds.push(await both(stage, range, number))
    }
    report(rounds, { seconds, clip })
  } finally {
    await stage.close()
  }
}

interface Range {
  startSec: number
  endSec: number
}

/** Measures both, one after the other. Every second time the order is reversed. */
async function both(stage: Stage, range: Range, number: number): Promise<Round> {
  const { pid } = stage
  const target = path.join(stage.folder, 'plain.mp4')
  const ofService = () => cpuSecOf(pid) + cpuSecOfChildren(pid)
  const trim = () => costOf(() => trimByService(stage, range), ofService)
  const cut = () => cutPlainly(stage.ffmpeg, { ...stage, ...range, target })
  const plainly = () => costOf(cut, () => cpuSecOfChildren())
  if (number % 2 === 0) return { service: await trim(), plain: await plainly() }
  const plain = await plainly()
  return { plain, service: await trim() }
}

async function costOf(work: () => Promise<void>, cpuSec: () => number): Promise<Cost> {
  const before = { wall: performance.now(), cpu: cpuSec() }
  await work()
  const wallSec = (performance.now() - before.wall) / 1000
  return { wallSec, cpuSec: cpuSec() - before.cpu }
}

async function trimByService({ call, recordingId }: Stage, range: Range): Promise<void> {
  const address = `/recordings/${recordingId}/processed-recording`
  await call('DELETE', address)
  const { startSec: trim_start_sec, endSec: trim_end_sec } = range
  const ordered = await call('POST', address, { source: 'trim', trim_start_sec, trim_end_sec })
  if (ordered.status !== 201) throw new Error(`the trim was refused with ${ordered.status}`)
  for (;;) {
    const { data } = await call('GET', address)
    if (data['status'] === 'available') return
    if (data['status'] === 'failed') throw new Error(`failed: ${String(data['failure_reason'])}`)
    await delay(LOOK_EVERY_MS)
  }
}

function report(
  rounds: readonly Round[],
  { seconds, clip }: { seconds: number; clip: number },
): void {
  const wall = compare(rounds, ({ wallSec }) => wallSec)
  const cpu = compare(rounds, ({ cpuSec }) => cpuSec)
  console.table({ wall, cpu })
  console.log(`a clip of ${clip} s out of ${seconds} s, ${rounds.length} rounds`)
  console.log(JSON.stringify({ bench: 'trim', seconds, clip, wall, cpu, machine: machine() }))
}

function compare(rounds: readonly Round[], of: (cost: Cost) => number) {
  const ratios = rounds.map(({ service, plain }) => of(service) / of(plain))
  return {
    serviceSec: round(median(rounds.map(({ service }) => of(service)))),
    plainSec: round(median(rounds.map(({ plain }) => of(plain)))),
    ratio: round(median(ratios)),
    ratioMin: round(Math.min(...ratios)),
    ratioMax: round(Math.max(...ratios)),
  }
}
