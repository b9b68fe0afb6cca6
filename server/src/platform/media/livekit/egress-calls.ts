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
import type { Config } from '../../config/config.ts'
import type { EgressSpec } from '../../ports/egress.ts'
import { type Media, MediaError } from '../../ports/media.ts'
import { readEgress } from '../../ports/read-egress.ts'
import type { EgressOutput } from '../../ports/storage.ts'
import { type CallProvider, createProviderClient } from './provider-client.ts'
import { asMediaError, endedIsDone } from './provider-errors.ts'

const AUDIO_KBPS = 128
const AUDIO_HZ = 48_000

const GRANT = { roomRecord: true }

type EgressCalls = Pick<Media, 'startEgress' | 'stopEgress' | 'listEgress'>

/** Recording by LiveKit Egress, or by a recorder that answers the same calls. */
export function createEgressCalls(
  { egressUrl, ...keys }: Pick<Config['livekit'], 'egressUrl' | 'apiKey' | 'apiSecret'>,
  timeoutSec: number,
): EgressCalls {
  const call = createProviderClient({ ...keys, apiUrl: egressUrl }, timeoutSec)

  return {
    async startEgress(spec) {
      const info = await asMediaError('start an egress', () => start(call, spec))
      const egress = readEgress(info.toJson())
      if (egress === undefined) throw new MediaError('the provider answered no egress')
      return egress
    },

    async stopEgress(egressId) {
      const body = new StopEgressRequest({ egressId })
      await endedIsDone('stop an egress', () =>
        call('Egress/StopEgress', { grant: GRANT, body, answer: EgressInfo }),
      )
    },

    async listEgress(mediaRoom) {
      const body = new ListEgressRequest({ roomName: mediaRoom })
      const { items } = await asMediaError('list egress', () =>
        call('Egress/ListEgress', { grant: GRANT, body, answer: ListEgressResponse }),
      )
      return items.flatMap((info) => readEgress(info.toJson()) ?? [])
    },
  }
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
