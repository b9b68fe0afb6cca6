import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { gapsOf } from '../../testing/description-gaps.ts'
import type { Document } from './document.ts'

const FILE = join(import.meta.dirname, '../../../../docs/openapi.json')
const read = (): Document => JSON.parse(readFileSync(FILE, 'utf8'))

// oxlint-disable-next-line typescript/no-explicit-any -- a document that is unreadable on purpose
type Any = any

test('the API description explains everything, and its examples fit', () => {
  expect(gapsOf(read())).toEqual([])
})

const DEFECTS: readonly [what: string, spoil: (document: Any) => void, gap: string][] = [
  [
    'an operation without a summary',
    ({ paths }) => delete paths['/api/v1/rooms'].post.summary,
    'post /api/v1/rooms: no summary',
  ],
  [
    'an operation without a description',
    ({ paths }) => (paths['/api/v1/rooms'].post.description = ' '),
    'post /api/v1/rooms: no description',
  ],
  [
    'a webhook without a description',
    ({ webhooks }) => delete webhooks['webhook.test'].post.description,
    'post webhook.test: no description',
  ],
  [
    'a parameter without a description',
    ({ paths }) => delete paths['/api/v1/sessions'].get.parameters[0].description,
    'get /api/v1/sessions external_type: no description',
  ],
  [
    'a header without a description',
    ({ paths }) => delete paths['/api/v1/rooms'].post.responses['405'].headers.Allow.description,
    'post /api/v1/rooms 405 Allow: no description',
  ],
  [
    'a tag without a description',
    ({ tags }) => delete tags[0].description,
    'tag Sessions: no description',
  ],
  [
    'a property without a description',
    ({ components }) => delete components.schemas.Room.properties.id.description,
    'Room.id: no description',
  ],
  [
    'a nested property without a description',
    ({ components }) =>
      delete components.schemas.ErrorResponse.properties.error.properties.message.description,
    'ErrorResponse.error.message: no description',
  ],
  [
    'an inline property without a description',
    ({ paths }) =>
      (paths['/api/v1/rooms/{room_id}'].get.responses['200'].content['application/json'].schema = {
        properties: { success: { type: 'boolean' } },
      }),
    '/paths//api/v1/rooms/{room_id}/get/responses/200/content/application/json/schema.success: no description',
  ],
  [
    'a schema without a description',
    ({ components }) => delete components.schemas.Room.description,
    'Room: no description',
  ],
  [
    'a reference to a schema without a description',
    ({ components }) => delete components.schemas.RoomStatus.description,
    'Room.status: no description',
  ],
  [
    'a size for which generated code takes 32 bits',
    ({ components }) => delete components.schemas.Recording.properties.size.format,
    'Recording.size: may exceed 32 bits, without int64',
  ],
  [
    'a choice with an integer for which generated code takes 32 bits',
    ({ components }) => delete components.schemas.ExternalId.oneOf[1].format,
    'ExternalId: may exceed 32 bits, without int64',
  ],
  [
    'a request that half a reference fits',
    ({ components }) => delete components.schemas.ConnectionTestRequest.dependentRequired,
    'ConnectionTestRequest: half a reference fits',
  ],
  [
    'an enum without a name',
    ({ components }) => (components.schemas.Room.properties.id.enum = ['a', 'b']),
    'Room.id: an enum without a name',
  ],
  [
    'an enum of a parameter without a name',
    ({ paths }) => (paths['/api/v1/sessions'].get.parameters[0].schema.enum = ['Slot']),
    '/paths//api/v1/sessions/get/parameters/0/schema: an enum without a name',
  ],
  [
    'a schema named as the constructor of another one in Go',
    ({ components }) => (components.schemas.NewRoom = components.schemas.RoomRequest),
    'NewRoom: named as what is made of Room',
  ],
  [
    'a schema named as the parameters of an operation in TypeScript',
    ({ components }) => (components.schemas.CreateRoomRequest = components.schemas.RoomRequest),
    'CreateRoomRequest: named as what is made of createRoom',
  ],
  [
    'two schemas whose names differ in case',
    ({ components }) => (components.schemas.APIKey = components.schemas.ApiKey),
    'APIKey: named as ApiKey',
  ],
  [
    'a field that is not in snake_case',
    ({ components }) => (components.schemas.Room.properties.createdBy = { type: 'string' }),
    'Room.createdBy: not in snake_case',
  ],
  [
    'a parameter that is not in snake_case',
    ({ paths }) =>
      paths['/api/v1/rooms'].get.parameters.push({ name: 'startsFrom', in: 'query', schema: {} }),
    '/paths//api/v1/rooms/get/parameters.startsFrom: not in snake_case',
  ],
  [
    'an example that does not fit',
    ({ paths }) =>
      (paths['/api/v1/rooms'].post.requestBody.content['application/json'].example.kind = 'x'),
    '/paths//api/v1/rooms/post/requestBody/content/application/json: data/kind must be equal to constant',
  ],
  [
    'an example of an error that does not fit',
    ({ components }) => (components.examples.NOT_FOUND.value.error.code = 'GONE'),
    '/paths//api/v1/sessions/{session_id}/get/responses/404/content/application/json: data/error/code must be equal to one of the allowed values',
  ],
  [
    'a body without an example',
    ({ paths }) =>
      delete paths['/api/v1/connection-tests'].post.requestBody.content['application/json'].example,
    'post /api/v1/connection-tests application/json: no example',
  ],
  [
    'a default that does not fit',
    ({ components }) => (components.schemas.RoomRequest.properties.archive_mode.default = 'never'),
    '/components/schemas/RoomRequest/properties/archive_mode: data must be equal to one of the allowed values',
  ],
]

describe('a gap is found:', () => {
  let gaps: readonly string[]

  // All in one document: compiling its schemas takes half a second.
  beforeAll(() => {
    const document = read()
    for (const [, spoil] of DEFECTS) spoil(document)
    gaps = gapsOf(document)
  })

  test.each(DEFECTS)('%s', (...[, , gap]) => {
    expect(gaps).toContain(gap)
  })
})
