import swagger from '@fastify/swagger'
import packageJson from '../../package.json' with { type: 'json' }
import type { Config } from '../config.ts'
import type { App } from './app-types.ts'

/** `GET /api/v1/openapi.json`: OpenAPI 3.1, made of the schemas that the routes really use. */
export async function describeApi(app: App, { publicUrl }: Pick<Config, 'publicUrl'>) {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Interview Room Service', version: packageJson.version },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'Authorization',
            description: '`ApiKey <key_id>.<secret>`',
          },
        },
      },
    },
    // What has no tag is no part of the API: pages, files, refusals of methods.
    transform: ({ schema, url }) => ({
      schema: schema?.tags === undefined ? { ...schema, hide: true } : schema,
      url,
    }),
  })
  app.get('/api/v1/openapi.json', async () => app.swagger())
}
