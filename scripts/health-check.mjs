// Exits with 0 while the process of this container lives, which means that `/health` answers: of its operations port,
// or of a recorder. A recorder that cannot start new recordings answers 503 and keeps recording, and orchestrators
// would restart an unhealthy container. So any answer counts.
const { OPERATIONS_PORT, HEALTH_PORT = OPERATIONS_PORT || '9090' } = process.env

try {
  await fetch(`http://127.0.0.1:${HEALTH_PORT}/health`, {
    signal: AbortSignal.timeout(4_000),
  })
  process.exitCode = 0
} catch {
  process.exitCode = 1
}
