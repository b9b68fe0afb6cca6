import { DISPLAY_NAME_MAX } from '@interview-room/contract/limits.ts'
import { LOCALES, type Locale } from '@interview-room/contract/vocabulary.ts'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { externalIdOf, type TenantClient } from './tenant-client.ts'

const SHOWN = 10
const NewTest = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: DISPLAY_NAME_MAX }),
    locale: Type.Unsafe<Locale>({ type: 'string', enum: [...LOCALES] }),
    record: Type.Boolean(),
  },
  { additionalProperties: false },
)

/** Connection tests of respondents, as the demo tenant. */
export function connectionTestRoutes(
  app: FastifyInstance,
  api: string,
  { tenant }: { tenant: TenantClient },
): void {
  app.get(`${api}/connection-tests`, async () => {
    const { items } = await tenant.api.listConnectionTests({ query: { limit: SHOWN } })
    return { tests: items }
  })

  app.post<{ Body: { name: string; locale: Locale; record: boolean } }>(
    `${api}/connection-tests`,
    { schema: { body: NewTest } },
    async ({ body }) => ({
      test: await tenant.api.startConnectionTest({
        body: {
          ...body,
          // Of the respondent who enters by this name: the moderator's page shows the result then.
          external_type: 'User',
          external_id: externalIdOf({ role: 'panelist', name: body.name }),
        },
      }),
    }),
  )
}
