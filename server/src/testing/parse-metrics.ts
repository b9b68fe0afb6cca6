const TYPES = ['counter', 'gauge', 'histogram', 'summary']
const HELP = /^# HELP ([a-z_][a-z0-9_]*) \S.*$/
const TYPE = /^# TYPE ([a-z_][a-z0-9_]*) (\w+)$/
/** Prometheus reads `NaN` in any case, and its client for Node writes `Nan`. */
const SAMPLE = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|Nan|NaN|\+Inf)$/
const LABEL = /([a-z_]+)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y
/** Suffixes that a histogram or summary appends to its name. */
const SUFFIX = /_(bucket|sum|count)$/

interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

/**
 * A page of metrics as Prometheus reads it. Throws if a line does not have the text format, a sample has
 * no help and type before it, a series is repeated, a counter is not named as one, or the buckets
 * of a histogram are not cumulative.
 */
export function parseMetrics(text: string) {
  const types = new Map<string, string>()
  const helped = new Set<string>()
  const samples: Sample[] = []
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  for (const line of text.split('\n')) {
    if (line === '') continue
    const help = HELP.exec(line)
    const type = TYPE.exec(line)
    if (help?.[1] !== undefined) helped.add(help[1])
    else if (type?.[1] !== undefined) types.set(type[1], type[2] ?? '')
    else samples.push(readSample(line))
  }

  const seen = new Set<string>()
  for (const { name, labels } of samples) {
    const family = types.has(name) ? name : name.replace(SUFFIX, '')
    const type = types.get(family)
    if (type === undefined || !TYPES.includes(type)) throw new Error(`${name} has no type`)
    if (!helped.has(family)) throw new Error(`${name} has no help`)
    if (type === 'counter' && !name.endsWith('_total')) throw new Error(`${name} is a counter`)
    const series = seriesOf(name, labels)
    if (seen.has(series)) throw new Error(`${series} stands there twice`)
    seen.add(series)
  }
  checkBuckets(samples)

  function find(name: string, labels: Record<string, string> = {}): number | undefined {
    return samples.find(
      (sample) =>
        sample.name === `interview_room_${name}` &&
        Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    )?.value
  }

  return {
    names: [...types.keys()],
    text,
    /** Undefined if none has these labels. */
    value: find,
  }
}

function readSample(line: string): Sample {
  const sample = SAMPLE.exec(line)
  if (sample === null) throw new Error(`no line of the text format: ${line}`)
  const [, name = '', inner = '', value = ''] = sample
  const labels: Record<string, string> = {}
  for (LABEL.lastIndex = 0; LABEL.lastIndex < inner.length;) {
    const label = LABEL.exec(inner)
    if (label === null) throw new Error(`labels cannot be read: ${line}`)
    labels[label[1] ?? ''] = label[2] ?? ''
  }
  return { name, labels, value: value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value) }
}

function seriesOf(name: string, labels: Record<string, string>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`)
  return `${name} ${pairs.toSorted((one, other) => one.localeCompare(other)).join()}`
}

/** In order of their bounds, each bucket includes the one before, and the last one has all. */
function checkBuckets(samples: readonly Sample[]): void {
  const last = new Map<string, number>()
  for (const { name, labels, value } of samples) {
    const { le, ...others } = labels
    const series = seriesOf(name.replace(SUFFIX, ''), others)
    if (le !== undefined && value < (last.get(series) ?? 0)) {
      throw new Error(`${name} is not cumulative`)
    }
    if (le !== undefined) last.set(series, value)
    else if (name.endsWith('_count') && last.has(series) && last.get(series) !== value) {
      throw new Error(`${name} is not what its last bucket holds`)
    }
  }
}
