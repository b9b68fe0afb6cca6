/** The parts of an OpenAPI 3.1 document that we read or write. */

export interface Document {
  openapi: string
  info: object
  externalDocs: object
  servers: object[]
  tags: object[]
  paths: Record<string, Record<string, OperationObject>>
  webhooks: Record<string, object>
  components: Record<string, Record<string, unknown>>
}

export interface OperationObject {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  parameters?: ParameterObject[]
  requestBody?: { required?: boolean; content: Record<string, MediaObject> }
  responses: Record<string, ResponseObject>
  callbacks?: Record<string, object>
}

export type ParameterObject =
  | {
      in: 'path' | 'query' | 'header'
      name: string
      required?: boolean
      description?: string
      schema: unknown
      example?: unknown
    }
  | { $ref: string }

export interface ResponseObject {
  description: string
  headers?: Record<string, unknown>
  content?: Record<string, MediaObject>
}

export interface MediaObject {
  schema?: unknown
  example?: unknown
  examples?: Record<string, unknown>
}
