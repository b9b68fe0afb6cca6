// Exit code 0 while the process of this container lives: `/health` of its operations port, or of a recorder, answers. A
// recorder answers 503 while it can begin nothing, and records on: orchestrators restart what is not healthy.
const { OPERATIONS_PORT, HEALTH_PORT = OPERATIONS_PORT || '9090' } = process.env

try {
  await fetch(`http://127.0.0.1:${HEALTH_PORT}/health`, {
    signal: AbortSignal.timeout(4_000),
  })
  process.exitCode = 0
} catch {
  process.exitCode = 1
}
