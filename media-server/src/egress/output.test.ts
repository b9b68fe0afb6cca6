import {
  EncodedFileOutput,
  EncodedFileType,
  GCPUpload,
  S3Upload,
  StreamOutput,
} from '@livekit/protocol'
import { describe, expect, test } from 'vitest'
import { readOutput } from './output.ts'

const CONTEXT = {
  roomName: 'room/1',
  roomSid: 'RM_1',
  identity: 'alice',
  now: new Date('2026-11-21T10:20:30.456Z'),
}
const NONE = { fileOutputs: [], streamOutputs: [], segmentOutputs: [], imageOutputs: [] }

function read(filepath: string) {
  const request = { ...NONE, fileOutputs: [new EncodedFileOutput({ filepath })] }
  return readOutput(request, CONTEXT, '/files')
}

describe('the path of a local file', () => {
  test.each([
    ['a/b.mp4', '/files/a/b.mp4'],
    ['/files/a.mp4', '/files/a.mp4'],
    ['a', '/files/a.mp4'],
    ['a/b.capture', '/files/a/b.capture'],
    ['.captured', '/files/.captured.mp4'],
    ['', '/files/room-1-2026-11-21T10-20-30.mp4'],
    ['x/', '/files/x/room-1-2026-11-21T10-20-30.mp4'],
    ['{room_id}-{publisher_identity}-{time}.mp4', '/files/RM_1-alice-2026-11-21T10-20-30.mp4'],
    ['{other}.mp4', '/files/{other}.mp4'],
  ])('%j becomes %s', (filepath, file) => {
    expect(read(filepath)).toEqual({ kind: 'file', file })
  })

  test.each(['../a.mp4', '/etc/a.mp4', 'a/../../b.mp4', '/filesystem/a.mp4'])(
    '%s outside the output folder is refused',
    (filepath) => {
      expect(() => read(filepath)).toThrow('EGRESS_OUTPUT_DIR')
    },
  )
})

describe('an output', () => {
  const s3 = new S3Upload({ bucket: 'b', accessKey: 'a', secret: 's', region: 'r' })

  test('in a bucket keeps its key and its credentials', () => {
    const file = new EncodedFileOutput({ filepath: '/k.mp4', output: { case: 's3', value: s3 } })
    const output = readOutput({ ...NONE, fileOutputs: [file] }, CONTEXT, '/files')
    expect(output).toMatchObject({ kind: 's3', key: 'k.mp4', upload: { bucket: 'b', secret: 's' } })
  })

  test('in the single field of former versions is accepted', () => {
    const value = new EncodedFileOutput({ filepath: 'k.mp4' })
    const output = readOutput({ ...NONE, output: { case: 'file', value } }, CONTEXT, '/files')
    expect(output).toEqual({ kind: 'file', file: '/files/k.mp4' })
  })

  test.each([
    ['nothing', NONE],
    ['two files', { ...NONE, fileOutputs: [new EncodedFileOutput(), new EncodedFileOutput()] }],
    ['a stream', { ...NONE, streamOutputs: [new StreamOutput()] }],
    ['OGG', { ...NONE, fileOutputs: [new EncodedFileOutput({ fileType: EncodedFileType.OGG })] }],
    [
      'another storage',
      {
        ...NONE,
        fileOutputs: [new EncodedFileOutput({ output: { case: 'gcp', value: new GCPUpload() } })],
      },
    ],
    [
      'no bucket',
      {
        ...NONE,
        fileOutputs: [new EncodedFileOutput({ output: { case: 's3', value: new S3Upload() } })],
      },
    ],
  ])('of %s is refused', (_name, request) => {
    expect(() => readOutput(request, CONTEXT, '/files')).toThrow('missing or invalid field')
  })
})
