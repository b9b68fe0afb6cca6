import type { ErrorCode } from '@interview-room/contract/errors.ts'
import type { LiveRequest } from '../../live/live-request.ts'

/** Adds a file to the handouts, unless it is cancelled. Resolves to its id, or to the reason why it was not added. */
export async function uploadHandout(
  request: LiveRequest,
  { file, title, cancelled }: { file: File; title: string; cancelled?: AbortSignal },
): Promise<{ id: string } | { problem: AddProblem }> {
  const form = new FormData()
  if (title !== '') form.set('title', title)
  form.set('file', file)
  const answer = await request<'addHandoutInRoom'>('POST', '/handouts', form, cancelled)
  return answer.ok ? { id: answer.data.id } : { problem: problemOf(answer.code) }
}

export type AddProblem = 'fileType' | 'tooLarge' | 'failed'

/** The reason why a file was not added, as the page explains it. */
function problemOf(code: ErrorCode | 'OFFLINE'): AddProblem {
  if (code === 'UNSUPPORTED_FILE_TYPE') return 'fileType'
  return code === 'FILE_TOO_LARGE' ? 'tooLarge' : 'failed'
}
