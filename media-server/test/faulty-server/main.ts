import { runCli } from '../../src/cli.ts'
import { startFaultyServer } from './faulty-server.ts'

process.stderr.write(
  '\n!!! Every client that may record can make this server fail. For tests only. !!!\n\n',
)
await runCli(process.argv.slice(2), process.env, startFaultyServer)
