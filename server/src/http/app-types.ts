import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'

/** The server with TypeBox types flowing from a route's schema into its handler. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

declare module 'fastify' {
  interface FastifyRequest {
    /** The tenant of the API key; empty outside the control plane. */
    tenantId: string
    /** The public part of that key; empty outside the control plane. */
    apiKeyId: string
    /** Code of the refusal or failure that this request ended with, for the log line. */
    errorCode: string
  }
}
