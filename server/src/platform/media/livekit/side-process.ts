import { type ChildProcess, fork } from 'node:child_process'

interface SideProcessOptions {
  program: URL
  /** Without a limit, garbage is collected when there are hundreds of megabytes of it. */
  heapMb: number
  /** The process is ended when it did nothing for this long. */
  idleMs: number
  /** The problem of orders that were under way when the process ended. */
  gone: string
}

/** The end of an order. `problem`: undefined if it was carried out. */
interface OrderEnd {
  id: number
  problem?: string | undefined
}

type Take<News> = (news: News | OrderEnd) => void

interface Running<News> {
  child: ChildProcess
  /** Orders under way, by id. */
  takes: Map<number, Take<News>>
}

/** An order that is under way in the process. */
interface Order<Message> {
  /** Sends this with the id of the order. */
  send(message: Message | { isOver: true }): void
  /** Ends the process, and with it everything that is under way there. */
  kill(): void
  /** Nothing of the order is taken any more. */
  close(): void
}

/**
 * A separate process for work with the WebRTC library, which starts with the first order: a defect of the library may end its
 * process, and must not end the service. `take` receives what the process sends about the order.
 */
export function createSideProcess<Message extends object, News extends { id: number }>(
  options: SideProcessOptions,
): { open(take: Take<News>): Order<Message> } {
  let running: Running<News> | undefined
  let idle: NodeJS.Timeout | undefined
  let lastId = 0

  function letGo(gone: Running<News>): void {
    gone.child.kill('SIGKILL')
    if (running === gone) running = undefined
    for (const [id, take] of gone.takes) take({ id, problem: options.gone })
  }

  function start(): Running<News> {
    // The process gets neither the secrets of the service nor the options of its caller.
    const child = fork(options.program, {
      env: {},
      execArgv: [`--max-old-space-size=${options.heapMb}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    })
    const started: Running<News> = { child, takes: new Map() }
    child.on('error', () => letGo(started))
    child.on('exit', () => letGo(started))
    child.on('message', (news: News) => started.takes.get(news.id)?.(news))
    // A service that is stopping does not wait for it: it ends with the channel.
    child.unref()
    child.channel?.unref()
    return started
  }

  return {
    open(take) {
      clearTimeout(idle)
      running ??= start()
      const mine = running
      const id = (lastId += 1)
      mine.takes.set(id, take)
      return {
        send: (message) => void mine.child.send({ id, ...message }, () => {}),
        kill: () => letGo(mine),
        close() {
          mine.takes.delete(id)
          if (mine.takes.size === 0) idle = setTimeout(() => letGo(mine), options.idleMs).unref()
        },
      }
    },
  }
}
