import type { Service } from './service.ts'

const whose = ({ local }: Service, operator: string) => [
  '--tenant',
  local.tenant_id,
  '--operator',
  operator,
]

/** A link of this operator to the board. */
export async function linkToBoard(
  service: Service,
  { operator, name }: { operator: string; name: string },
): Promise<string> {
  const args = ['operators', 'board-link', ...whose(service, operator), '--name', name]
  return ((await service.admin(...args)) as { url: string }).url
}

/** Ends every link of this operator to the board. */
export async function revokeBoardTokens(service: Service, operator: string): Promise<void> {
  await service.admin('operators', 'end-board-links', ...whose(service, operator))
}
