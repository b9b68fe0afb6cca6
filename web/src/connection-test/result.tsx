import type { DeviceFacts, SummaryFacts } from '@interview-room/contract/connection-tests.ts'
import type { ConnectionWarning } from '@interview-room/contract/vocabulary.ts'
import type { TestDictionary } from '../i18n/test-ja.ts'
import { inMbps, inPercent, voiceRatingOf } from './result-words.ts'
import styles from './result.module.css'
import { useTestText } from './test-text.ts'

/** The measurements without a verdict, which is up to the tenant. */
export function Measured({ summary }: { summary: SummaryFacts }) {
  const text = useTestText().done
  return (
    <section className={styles.part}>
      <h2>{text.measured}</h2>
      <dl className={styles.facts}>
        {factsOf(text, summary).map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value ?? text.unknown}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

type Words = TestDictionary['done']

function factsOf(text: Words, summary: SummaryFacts): { name: string; value: string | null }[] {
  const speed = (kbps: number | null) => (kbps === null ? null : text.mbps(inMbps(kbps)))
  const { mos } = summary.audio
  const { rtt_ms: rttMs, packet_loss_ratio: lossRatio } = summary
  return [
    { name: text.uplink, value: speed(summary.uplink_kbps) },
    { name: text.downlink, value: speed(summary.downlink_kbps) },
    { name: text.picture, value: pictureOf(text, summary) },
    {
      name: text.voice,
      value:
        mos === null ? null : text.voiceOf(text.voiceRatings[voiceRatingOf(mos)], mos.toFixed(1)),
    },
    { name: text.delay, value: rttMs === null ? null : text.ms(String(Math.round(rttMs))) },
    { name: text.loss, value: lossRatio === null ? null : text.percent(inPercent(lossRatio)) },
  ]
}

function pictureOf(text: Words, { video, uplink_kbps: uplinkKbps }: SummaryFacts): string | null {
  const { recommended_resolution: size, recommended_frame_rate: rate } = video
  if (uplinkKbps === null) return null
  if (size === null || rate === null) return text.voiceOnly
  return text.pictureOf(text.size[size], String(rate))
}

export function DeviceList({ devices }: { devices: DeviceFacts }) {
  const text = useTestText()
  return (
    <section className={styles.part}>
      <h2>{text.done.devices}</h2>
      <dl className={styles.facts}>
        {(['camera', 'microphone', 'speaker'] as const).map((kind) => (
          <div key={kind}>
            <dt>{text.kind[kind]}</dt>
            <dd>{text.result[devices[kind]]}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

export function Hints({ warnings }: { warnings: readonly ConnectionWarning[] }) {
  const text = useTestText()
  if (warnings.length === 0) return null
  return (
    <section className={styles.part}>
      <h2>{text.done.hints}</h2>
      <ul className={styles.hints}>
        {warnings.map((warning) => (
          <li key={warning}>{text.hint[warning]}</li>
        ))}
      </ul>
    </section>
  )
}
