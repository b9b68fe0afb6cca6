// Exit code 0 while the process of this container lives: `/health` of its operations port, or of a recorder.
const { OPERATIONS_PORT, HEALTH_PORT = OPERATIONS_PORT || '9090' } = process.env

try {
  const { ok } = await fetch(`http://127.0.0.1:${HEALTH_PORT}/health`, {
    signal: AbortSignal.timeout(4_000),
  })
  process.exitCode = ok ? 0 : 1
} catch {
  process.exitCode = 1
}
