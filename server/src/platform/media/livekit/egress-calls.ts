import {
  EgressInfo,
  EncodedFileOutput,
  EncodedFileType,
  EncodingOptions,
  ListEgressRequest,
  ListEgressResponse,
  ParticipantEgressRequest,
  RoomCompositeEgressRequest,
  S3Upload,
  StopEgressRequest,
  VideoCodec,
} from '@livekit/protocol'
import type { EgressList, EgressOwner, EgressSpec, ListedEgress } from '../../ports/egress.ts'
import { type Media, MediaError } from '../../ports/media.ts'
import { readEgress } from '../../ports/read-egress.ts'
import type { EgressOutput } from '../../ports/storage.ts'
import type { CallProvider } from './provider-client.ts'
import { asMediaError, endedIsDone } from './provider-errors.ts'
import {
  createRecorders,
  type Recorder,
  type Recorders,
  type RecorderSettings,
} from './recorders.ts'

const AUDIO_KBPS = 128
const AUDIO_HZ = 48_000

const GRANT = { roomRecord: true }

type EgressCalls = Pick<
  Media,
  'recordersInTurn' | 'startEgress' | 'stopEgress' | 'listEgress' | 'listRunning' | 'isReachable'
>

/** Recording by LiveKit Egress, or by recorders that answer the same calls. */
export function createEgressCalls(config: RecorderSettings, timeoutSec: number): EgressCalls {
  const recorders = createRecorders(config, timeoutSec)

  return {
    recordersInTurn: async () => recorders.inTurn(),

    async startEgress(spec) {
      const recorder = recorders.find(spec.recorder)
      if (recorder === undefined) throw new MediaError(NOT_CONFIGURED, { hasNoEffect: true })
      const askedAt = config.clock()
      const info = await asMediaError('start an egress', () => start(recorder.call, spec))
      const egress = readEgress(info.toJson())
      if (egress === undefined) throw new MediaError('the provider answered no egress')
      const { startedAt } = egress
      const times = { askedAt, answeredAt: config.clock() }
      return { ...egress, clockOffsetMs: startedAt && clockOffsetMs(startedAt, times) }
    },

    async stopEgress({ egressId, recorder }) {
      const owner = recorders.find(recorder)
      if (owner !== undefined) await stop(owner, egressId)
      else await stopAnywhere(recorders.all, { egressId, recorder })
    },

    async listEgress(mediaRoom, owners) {
      const asked = recorders.toList(owners)
      const lists = await Promise.allSettled(
        asked.map((each) => list(each, { roomName: mediaRoom })),
      )
      const failures = lists.filter((each) => each.status === 'rejected')
      if (failures.length === recorders.all.length) throw failures[0]?.reason
      const answered = asked.filter((_, at) => lists[at]?.status === 'fulfilled')
      return {
        egresses: lists.flatMap((each) => (each.status === 'fulfilled' ? each.value : [])),
        silent: silentOf(owners, { recorders, asked, answered }),
      }
    },

    async listRunning(address) {
      const recorder = recorders.find(address)
      if (recorder === undefined) throw new MediaError(NOT_CONFIGURED)
      const running = await list(recorder, { active: true })
      return new Map(
        running.map(({ egressId, writtenBytes, lacks }) => [egressId, { writtenBytes, lacks }]),
      )
    },

    isReachable: async (address) => (await recorders.find(address)?.isReachable()) ?? true,
  }
}

const NOT_CONFIGURED = 'the recorder of this egress is not configured'

/** False when this recorder has never heard of it. */
function stop({ call }: Recorder, egressId: string): Promise<boolean> {
  const body = new StopEgressRequest({ egressId })
  return endedIsDone('stop an egress', () =>
    call('Egress/StopEgress', { grant: GRANT, body, answer: EgressInfo }),
  )
}

/**
 * For an egress whose recorder is not known, or is configured under another address now. That one recorder
 * does not know it proves nothing, while another one may be writing it.
 */
async function stopAnywhere(all: readonly Recorder[], { egressId, recorder }: EgressOwner) {
  const answers = await Promise.allSettled(all.map((each) => stop(each, egressId)))
  if (answers.some((each) => each.status === 'fulfilled' && each.value)) return
  const failed = answers.find((each) => each.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  if (recorder !== null) throw new MediaError(NOT_CONFIGURED)
}

/** One that is not configured is known when all have answered. */
function silentOf(
  owners: readonly (string | null)[],
  {
    recorders,
    asked,
    answered,
  }: { recorders: Recorders; asked: readonly Recorder[]; answered: readonly Recorder[] },
): EgressList['silent'] {
  return new Set(
    owners.filter((owner) =>
      recorders.find(owner) === undefined
        ? answered.length < asked.length
        : !isOneOf(answered, owner),
    ),
  )
}

function isOneOf(recorders: readonly Recorder[], owner: string | null): boolean {
  return recorders.some(({ address }) => address === owner)
}

async function list(
  { call, address }: Recorder,
  which: { roomName: string } | { active: true },
): Promise<ListedEgress[]> {
  const body = new ListEgressRequest(which)
  const { items } = await asMediaError('list egress', () =>
    call('Egress/ListEgress', { grant: GRANT, body, answer: ListEgressResponse }),
  )
  return items.flatMap((info) => {
    const egress = readEgress(info.toJson())
    return egress === undefined ? [] : { ...egress, recorder: address }
  })
}

function start(call: CallProvider, spec: EgressSpec): Promise<EgressInfo> {
  const { mediaRoom: roomName, identity } = spec
  const what = {
    roomName,
    options: { case: 'advanced' as const, value: encodingOf(spec) },
    fileOutputs: [fileOutputOf(spec.output)],
  }
  if (identity === undefined) {
    const body = new RoomCompositeEgressRequest({ ...what, layout: 'grid' })
    return call('Egress/StartRoomCompositeEgress', { grant: GRANT, body, answer: EgressInfo })
  }
  const body = new ParticipantEgressRequest({ ...what, identity })
  return call('Egress/StartParticipantEgress', { grant: GRANT, body, answer: EgressInfo })
}

function encodingOf({ width, height, frameRate, videoKbps }: EgressSpec): EncodingOptions {
  return new EncodingOptions({
    width,
    height,
    framerate: frameRate,
    videoCodec: VideoCodec.H264_MAIN,
    videoBitrate: videoKbps,
    audioBitrate: AUDIO_KBPS,
    audioFrequency: AUDIO_HZ,
  })
}

function fileOutputOf(output: EgressOutput): EncodedFileOutput {
  const shared = { fileType: EncodedFileType.MP4, disableManifest: true }
  if (output.kind === 'file') return new EncodedFileOutput({ ...shared, filepath: output.path })
  const { key, bucket, region, endpoint, forcePathStyle, sessionToken } = output
  const value = new S3Upload({
    bucket,
    region,
    forcePathStyle,
    endpoint: endpoint ?? '',
    accessKey: output.accessKeyId,
    secret: output.secretAccessKey,
    sessionToken: sessionToken ?? '',
  })
  return new EncodedFileOutput({ ...shared, filepath: key, output: { case: 's3', value } })
}

/** Smaller offsets between two machines are measuring errors. */
const OFFSET_MIN_MS = 20

/**
 * The minimum by which the provider's clock is ahead: it did its work between our question and its answer, but its own
 * clock says otherwise.
 */
export function clockOffsetMs(
  providerAt: Date,
  { askedAt, answeredAt }: { askedAt: Date; answeredAt: Date },
): number {
  const early = providerAt.getTime() - askedAt.getTime()
  const late = providerAt.getTime() - answeredAt.getTime()
  const offset = Math.min(0, early) + Math.max(0, late)
  return Math.abs(offset) < OFFSET_MIN_MS ? 0 : offset
}
