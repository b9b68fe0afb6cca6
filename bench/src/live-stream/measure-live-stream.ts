import { parseArgs } from 'node:util'
import { CHAT_TEXT_MAX } from '@interview-room/contract/limits.ts'
import { type Delivery, deliver, type Plan } from './deliver.ts'
import { type StreamResult, reportLiveStream } from './report.ts'
import { type Side, setStage } from './stage.ts'

const TEXT = ['接', 40] as const
/** The longest message that the service accepts. Only this length fills the buffers before a slow reader. */
const LONG_TEXT = ['𠮷', CHAT_TEXT_MAX] as const
const WARM_UP_MESSAGES = 100

/**
 * Measures the time from the POST to the arrival: with one reader, with all of them, and with one more that does not
 * read.
 */
export async function measureLiveStream(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      readers: { type: 'string', default: '50' },
      messages: { type: 'string', default: '500' },
      rate: { type: 'string', default: '20' },
    },
  })
  const readers = Number(values.readers)
  const pace = { messages: Number(values.messages), rate: Number(values.rate) }
  const usual = { ...pace, readers, text: TEXT, hasSlowReader: false }
  const long = { ...usual, readers: readers - 1, text: LONG_TEXT }
  const { service, raw, close } = await setStage(readers)

  async function measure(name: string, plan: Plan): Promise<StreamResult> {
    const measured = { name, readers: plan.readers, ...(await both({ service, raw }, plan)) }
    console.error(`measured: ${name}`)
    return measured
  }
  try {
    await both({ service, raw }, { ...usual, messages: WARM_UP_MESSAGES })
    const one = await measure('1 reader', { ...usual, readers: 1 })
    const all = await measure(`${readers} readers`, usual)
    const without = await measure(`${readers - 1} readers, long`, long)
    const slow = await measure(`${readers - 1} and a slow one, long`, {
      ...long,
      hasSlowReader: true,
    })
    reportLiveStream({ one, all, without, slow }, { ...pace, readers })
  } finally {
    await close()
  }
}

async function both(
  { service, raw }: Record<'service' | 'raw', Side>,
  plan: Plan,
): Promise<Record<'service' | 'raw', Delivery>> {
  return { service: await deliver(service, plan), raw: await deliver(raw, plan) }
}
