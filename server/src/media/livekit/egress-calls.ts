import {
  EgressClient,
  EncodedFileOutput,
  EncodedFileType,
  EncodingOptions,
  S3Upload,
  VideoCodec,
} from 'livekit-server-sdk'
import type { Config } from '../../config.ts'
import type { EgressOutput } from '../../storage/storage.ts'
import type { EgressSpec } from '../egress.ts'
import { type Media, MediaError } from '../media.ts'
import { readEgress } from '../read-egress.ts'
import { asMediaError, endedIsDone } from './provider-errors.ts'

const AUDIO_KBPS = 128
const AUDIO_HZ = 48_000

type EgressCalls = Pick<Media, 'startEgress' | 'stopEgress' | 'listEgress'>

/** Recording by LiveKit Egress. */
export function createEgressCalls(
  config: Pick<Config['livekit'], 'apiUrl' | 'apiKey' | 'apiSecret'>,
  timeoutSec: number,
): EgressCalls {
  const client = new EgressClient(config.apiUrl, config.apiKey, config.apiSecret, {
    requestTimeout: timeoutSec,
    failover: false,
  })

  return {
    async startEgress(spec) {
      const info = await asMediaError('start an egress', () => start(client, spec))
      const egress = readEgress(info.toJson())
      if (egress === undefined) throw new MediaError('the provider answered no egress')
      return egress
    },

    async stopEgress(egressId) {
      await endedIsDone('stop an egress', () => client.stopEgress(egressId))
    },

    async listEgress(mediaRoom) {
      const found = await asMediaError('list egress', () =>
        client.listEgress({ roomName: mediaRoom }),
      )
      return found.flatMap((info) => readEgress(info.toJson()) ?? [])
    },
  }
}

async function start(client: EgressClient, spec: EgressSpec) {
  const { mediaRoom, identity } = spec
  const encodingOptions = encodingOf(spec)
  const file = fileOutputOf(spec.output)
  if (identity === undefined) {
    return client.startRoomCompositeEgress(mediaRoom, file, { layout: 'grid', encodingOptions })
  }
  return client.startParticipantEgress(mediaRoom, identity, { file }, { encodingOptions })
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
