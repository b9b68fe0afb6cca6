import { classes, methods, Message, parseMessage } from 'werift'

/** The answer of a TURN server on this machine to a request for a relay: a relay, or a refusal. */
export function answerOfTurn(
  request: Buffer,
  fromPort: number,
  { isRefusing = false } = {},
): Buffer | undefined {
  const asked = parseMessage(request)
  if (asked === undefined) return undefined
  const kind = isRefusing ? classes.ERROR : classes.RESPONSE
  const answer = new Message(methods.ALLOCATE, kind, asked.transactionId)
  if (isRefusing) answer.setAttribute('ERROR-CODE', [403, 'Forbidden'])
  else {
    answer.setAttribute('XOR-RELAYED-ADDRESS', ['127.0.0.1', 50_000])
    answer.setAttribute('XOR-MAPPED-ADDRESS', ['127.0.0.1', fromPort])
    answer.setAttribute('LIFETIME', 600)
  }
  return answer.bytes
}
