import { Uuid } from '@interview-room/contract/envelope.ts'
import { createClient } from '@interview-room/sdk/client.ts'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { ServiceError } from '../../platform/lib/service-error.ts'

const TIMEOUT_MS = 15_000

interface TranscriptSource {
  /** The address at which this process itself listens. The public address may lead elsewhere. */
  ownUrl: string
  apiKey: string
}

/** Serves a transcript from the page's own origin, so that a `<track>` needs no permission of the storage. */
export function transcriptRoute(
  app: FastifyInstance,
  api: string,
  { ownUrl, apiKey }: TranscriptSource,
): void {
  const client = createClient({ baseUrl: ownUrl, apiKey, timeoutMs: TIMEOUT_MS })
  app.get<{ Params: { transcription_id: string } }>(
    `${api}/transcriptions/:transcription_id/result.vtt`,
    { schema: { params: Type.Object({ transcription_id: Uuid }) } },
    async ({ params }, reply) => {
      const { result_url: url } = await client.getTranscription({ params })
      if (url === null) throw new ServiceError('NOT_FOUND')
      const text = await readResult(url)
      return reply.type('text/vtt; charset=utf-8').header('cache-control', 'no-store').send(text)
    },
  )
}

async function readResult(url: string): Promise<string> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (!answer.ok) throw new Error(`the storage answered ${answer.status}`)
    return await answer.text()
  } catch (error) {
    throw new ServiceError('SERVICE_UNAVAILABLE', { note: 'read a transcript', cause: error })
  }
}
