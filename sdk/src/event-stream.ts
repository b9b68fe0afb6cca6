/** One event of a stream, as it arrived. */
export interface RawEvent {
  event: string
  /** Undefined if the event has no id. */
  id: string | undefined
  data: string
}

/** The server-sent events of an answer, until it ends. */
export async function* eventsOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<RawEvent> {
  let rest = ''
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = eventOf(block)
      if (event !== undefined) yield event
    }
  }
}

/** Undefined for a comment, which keeps the connection open. */
function eventOf(block: string): RawEvent | undefined {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^(\w*): ?(.*)$/.exec(line) ?? []
    const before = fields.get(name)
    fields.set(name, before === undefined || name !== 'data' ? value : `${before}\n${value}`)
  }
  const data = fields.get('data')
  if (data === undefined) return undefined
  return { event: fields.get('event') ?? 'message', id: fields.get('id'), data }
}
