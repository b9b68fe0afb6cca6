import path from 'node:path'
import { CAPTURE_EXTENSION } from '@interview-room/composer/capture/capture-archive.ts'
import { EncodedFileOutput, EncodedFileType } from '@livekit/protocol'
import { TwirpError } from '../api/twirp.ts'
import type { Output, S3Target } from './job.ts'

/** Extensions of a name; one without any of them gets the first. */
const EXTENSIONS = ['.mp4', CAPTURE_EXTENSION]

/** Values of the placeholders of a file name. */
export interface NameContext {
  roomName: string
  roomSid: string
  identity: string
  now: Date
}

/** The outputs of a request: a list, and the single one of former versions. */
export interface RequestedOutputs {
  fileOutputs: readonly EncodedFileOutput[]
  streamOutputs: readonly unknown[]
  segmentOutputs: readonly unknown[]
  imageOutputs: readonly unknown[]
  output?: { case: string | undefined; value?: unknown }
}

/** The one file of a request. Throws invalid_argument for anything else. */
export function readOutput(
  request: RequestedOutputs,
  context: NameContext,
  outputFolder: string,
): Output {
  const file = requestedFile(request)
  if (file.fileType !== EncodedFileType.DEFAULT_FILETYPE && file.fileType !== EncodedFileType.MP4) {
    throw invalid('file type: only MP4 is supported')
  }
  const name = fileName(file.filepath, context)
  if (file.output.case === undefined) return { kind: 'file', file: pathBelow(outputFolder, name) }
  if (file.output.case !== 's3') throw invalid('output: only s3 and local files are supported')
  return { kind: 's3', key: name.replace(/^\/+/, ''), upload: readS3(file.output.value) }
}

function requestedFile(request: RequestedOutputs): EncodedFileOutput {
  const { fileOutputs, streamOutputs, segmentOutputs, imageOutputs, output } = request
  const others = streamOutputs.length + segmentOutputs.length + imageOutputs.length
  if (others > 0) throw invalid('output: only one file is supported')
  // Clients fill the list and the former single field with the same file.
  const file = fileOutputs[0] ?? (output?.case === 'file' ? output.value : undefined)
  if (!(file instanceof EncodedFileOutput)) throw invalid('output')
  if (fileOutputs.length > 1) throw invalid('output: only one file is supported')
  return file
}

function readS3(upload: S3Target): S3Target {
  const { accessKey, secret, sessionToken, region, endpoint, bucket } = upload
  const { forcePathStyle, contentDisposition, metadata } = upload
  if (bucket === '') throw invalid('s3 bucket')
  const names = { accessKey, secret, sessionToken, region, endpoint, bucket }
  return { ...names, forcePathStyle, contentDisposition, metadata }
}

function fileName(filepath: string, { roomName, roomSid, identity, now }: NameContext): string {
  const time = now.toISOString().replaceAll(/[:.]/g, '-').slice(0, -5)
  const values: Record<string, string> = {
    room_name: roomName,
    room_id: roomSid,
    publisher_identity: identity,
    time,
    utc: time,
  }
  const isFolder = filepath === '' || filepath.endsWith('/')
  const template = isFolder ? `${filepath}{room_name}-{time}` : filepath
  const name = template.replaceAll(/\{(\w+)\}/g, (whole, key: string) =>
    (values[key] ?? whole).replaceAll(/[/\\]/g, '-'),
  )
  return EXTENSIONS.some((extension) => name.endsWith(extension)) ? name : `${name}.mp4`
}

/** True where the capture itself is asked for, and not a video. LiveKit has no field for it. */
export function isOfCapture(output: Output): boolean {
  return (output.kind === 's3' ? output.key : output.file).endsWith(CAPTURE_EXTENSION)
}

function pathBelow(folder: string, name: string): string {
  const file = path.resolve(folder, name)
  const relative = path.relative(folder, file)
  if (!relative.startsWith('..') && !path.isAbsolute(relative)) return file
  throw invalid('filepath: it must lie below EGRESS_OUTPUT_DIR')
}

function invalid(field: string): TwirpError {
  return new TwirpError('invalid_argument', `request has missing or invalid field: ${field}`)
}
