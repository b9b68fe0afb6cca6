import type { LiveRequest } from '../../live/live-request.ts'
import { type AddProblem, problemOf } from './add-problem.ts'

/** Adds a file to the handouts; answers its id, or why it was not added. */
export async function uploadHandout(
  request: LiveRequest,
  { file, title }: { file: File; title: string },
): Promise<{ id: string } | { problem: AddProblem }> {
  const form = new FormData()
  if (title !== '') form.set('title', title)
  form.set('file', file)
  const answer = await request<'addHandoutInRoom'>('POST', '/handouts', form)
  return answer.ok ? { id: answer.data.id } : { problem: problemOf(answer.code) }
}
