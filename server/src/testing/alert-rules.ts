import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'

const ROOT = path.resolve(import.meta.dirname, '../../..')
export const RULES_FILE = path.join(ROOT, 'deploy/prometheus/alerts.yaml')

export interface AlertRule {
  alert: string
  expr: string
  for?: string
  labels: Record<string, string>
  annotations: Record<string, string>
}

interface RuleFile {
  groups: { name: string; rules: AlertRule[] }[]
}

/** The rules of `deploy/prometheus/alerts.yaml`. */
export function readAlertRules(): AlertRule[] {
  const file = parse(readFileSync(RULES_FILE, 'utf8')) as RuleFile
  return file.groups.flatMap(({ rules }) => rules)
}

/** Suffixes that a histogram or summary appends to its name. */
const SUFFIX = /_(bucket|sum|count)$/
/** Metrics of Prometheus itself. */
const OWN = new Set(['ALERTS'])

interface Selector {
  metric: string
  labels: string[]
}

/** Metrics with the labels that an expression selects by or groups by. */
export function selectorsIn(expr: string): Selector[] {
  const names = expr.matchAll(
    /\b((?:interview_room|nodejs|process)_[a-z0-9_]+|ALERTS)\b(\{[^}]*\})?/g,
  )
  return [...names]
    .map(([, metric = '', matchers = '']) => ({
      metric: metric.replace(SUFFIX, ''),
      labels: [...matchers.matchAll(/([a-z_]+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
    }))
    .filter(({ metric }) => !OWN.has(metric))
}
