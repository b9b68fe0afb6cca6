import type { DestinationStream } from 'pino'
import { prettyFactory } from 'pino-pretty'
import type { Progress } from './progress.ts'

/** The log of `npm start`: readable lines for a terminal, JSON for a file or another program. */
export function createStartLog({
  progress,
  stream,
  isTerminal,
}: {
  progress: Pick<Progress, 'makeRoom'>
  stream: DestinationStream
  isTerminal: boolean
}): DestinationStream {
  const readable = prettyFactory({
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname',
    singleLine: true,
  })
  return {
    write(line) {
      progress.makeRoom()
      stream.write(isTerminal ? readable(line) : line)
    },
  }
}
