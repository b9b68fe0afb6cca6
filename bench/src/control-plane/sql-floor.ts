import path from 'node:path'
import type { Rate } from '../load.ts'
import { startNode } from '../node-process.ts'
import { findPgbench, runPgbench } from '../pgbench.ts'
import { bareEnvironment } from './open-bare-operations.ts'
import type { Operation } from './operations.ts'
import type { Stage } from './stage.ts'

/** Drives the SQL of an operation without HTTP and without the provider. */
export interface SqlFloor {
  /** Name of the program that drives it, shown in the report. */
  by: string
  run(operation: Operation, round: { connections: number; seconds: number }): Promise<Rate>
}

export async function chooseSqlFloor(stage: Stage): Promise<SqlFloor> {
  const version = await findPgbench()
  return version === undefined ? driverFloor(stage) : pgbenchFloor(stage, version)
}

/** The range of numbers of one run: a million for each client, as the scripts count. */
const RUN_NUMBERS = 1_000_000_000

function pgbenchFloor({ database: { url, folder } }: Stage, version: string): SqlFloor {
  let runs = 0
  return {
    by: `${version}, prepared statements`,
    run({ script }, round) {
      runs += 1
      const variables = { base: runs * RUN_NUMBERS, k: 0 }
      return runPgbench({ url, folder, script, variables, ...round })
    },
  }
}

/** Runs the service's database driver in a process without other code. Its first printed line is a Rate. */
function driverFloor({ database, bare, tenant }: Stage): SqlFloor {
  return {
    by: 'a Node process with the same driver, as there is no pgbench in PATH',
    async run({ name }, { connections, seconds }) {
      const driver = await startNode({
        command: [
          'bench/src/control-plane/drive-sql.ts',
          name,
          String(connections),
          String(seconds),
          tenant.keyId,
        ],
        logFile: path.join(database.folder, 'driver.log'),
        env: bareEnvironment(bare),
      })
      await driver.stop()
      return JSON.parse(driver.firstLine) as Rate
    },
  }
}
