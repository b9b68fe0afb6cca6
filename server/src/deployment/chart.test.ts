import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { buildGo, buildGoTool, HAS_GO, runGo, runTool } from '../testing/go-tools.ts'
import { IS_FULL_RUN } from '../testing/scope.ts'

const HELM = { program: 'helm.sh/helm/v3/cmd/helm', version: 'v3.18.4' }
const KUBERNETES = 'v0.33.3'
/** A helm that is built from its module takes the cluster for an older one than the chart admits. */
const CLUSTER = ['--kube-version', KUBERNETES.replace('v0', 'v1')]
const BUILD_MS = 90 * 60_000
const CHART = path.resolve(import.meta.dirname, '../../../deploy/helm/interview-room')
const EXAMPLE = path.join(CHART, 'example-values.yaml')
const LEAST = [
  '--set',
  'existingSecret=x,settings.PUBLIC_URL=https://a.example.com',
  '--set',
  'settings.LIVEKIT_URL=http://b,settings.LIVEKIT_PUBLIC_URL=wss://b',
]

/** Reads manifests as the types of Kubernetes, and refuses fields that those do not have. */
const STRICT_READER = `package main

import (
	"fmt"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/kubernetes/scheme"
)

func main() {
	text, _ := os.ReadFile(os.Args[1])
	decoder := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict).UniversalDeserializer()
	failed := false
	for _, document := range strings.Split(string(text), "\\n---\\n") {
		if strings.TrimSpace(document) == "" {
			continue
		}
		_, kind, err := decoder.Decode([]byte(document), nil, nil)
		fmt.Println(kind, err)
		failed = failed || err != nil
	}
	if failed {
		os.Exit(1)
	}
}
`

let helm: string
let reader: string

interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; annotations?: Record<string, string> }
  spec: Record<string, unknown>
}

async function render(...args: string[]): Promise<Manifest[]> {
  const { exitCode, output, stdout } = await runTool(helm, [
    'template',
    'rooms',
    CHART,
    ...CLUSTER,
    ...args,
  ])
  if (exitCode !== 0) throw new Error(output)
  return parseAllDocuments(stdout).flatMap((document) => (document.toJS() as Manifest | null) ?? [])
}

/** Of Kubernetes itself: the Prometheus Operator's are no part of it. */
async function readStrictly(manifests: readonly Manifest[]) {
  const own = manifests.filter(({ apiVersion }) => !apiVersion.startsWith('monitoring.'))
  const file = `${reader}.${process.pid}.yaml`
  await writeFile(file, own.map((manifest) => JSON.stringify(manifest)).join('\n---\n'))
  return runTool(reader, [file])
}

const kindsOf = (manifests: readonly Manifest[]) =>
  manifests
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    .toSorted((a, b) => (a < b ? -1 : 1))

describe.runIf(IS_FULL_RUN && HAS_GO)('the chart (skipped without Go)', () => {
  beforeAll(async () => {
    helm = await buildGoTool(HELM.program, HELM.version)
    reader = await buildGo(`strict-reader-${KUBERNETES}`, async (folder) => {
      await writeFile(path.join(folder, 'main.go'), STRICT_READER)
      await runGo(['get', `k8s.io/client-go@${KUBERNETES}`], folder)
      await runGo(['mod', 'tidy'], folder)
      return '.'
    })
  }, BUILD_MS)

  test.each([
    ['the least values', LEAST],
    ['the example values', ['--values', EXAMPLE]],
  ])('passes helm lint with %s', async (_what, args) => {
    const { exitCode, output } = await runTool(helm, ['lint', '--strict', CHART, ...args])
    expect([exitCode, output]).toEqual([0, expect.stringContaining('0 chart(s) failed')])
  })

  test('renders manifests that Kubernetes knows, with the least values', async () => {
    const manifests = await render(...LEAST)
    expect(kindsOf(manifests)).toEqual([
      'Deployment rooms-api',
      'Deployment rooms-worker',
      'Job rooms-migrate',
      'PodDisruptionBudget rooms-api',
      'PodDisruptionBudget rooms-worker',
      'Service rooms',
    ])
    const { exitCode, output } = await readStrictly(manifests)
    expect([exitCode, output]).toEqual([0, expect.any(String)])
  })

  test('renders all of it with the example values', async () => {
    const manifests = await render('--values', EXAMPLE)
    expect(kindsOf(manifests)).toEqual(
      expect.arrayContaining([
        'HorizontalPodAutoscaler rooms-api',
        'HorizontalPodAutoscaler rooms-worker',
        'Ingress rooms',
        'PodMonitor rooms',
        'PrometheusRule rooms',
        'Service rooms-recorder-0',
        'Service rooms-recorder-1',
        'StatefulSet rooms-recorder',
      ]),
    )
    const rule = manifests.find(({ kind }) => kind === 'PrometheusRule')
    expect(rule?.spec['groups']).toHaveLength(1)
    const { exitCode, output } = await readStrictly(manifests)
    expect([exitCode, output]).toEqual([0, expect.any(String)])
  })

  test.each([
    [1, 'http://rooms-recorder:7890'],
    [2, 'http://rooms-recorder-0:7890,http://rooms-recorder-1:7890'],
  ])('gives every process the addresses of the recorders: %i', async (replicas, urls) => {
    const more = ['--set', `recorder.enabled=true,recorder.replicas=${replicas}`]
    const manifests = await render(...LEAST, ...more)
    const texts = manifests
      .filter(({ kind }) => kind === 'Deployment')
      .map((manifest) => JSON.stringify(manifest))
    expect(texts).toHaveLength(2)
    for (const text of texts) {
      expect(text).toContain(JSON.stringify({ name: 'LIVEKIT_EGRESS_URL', value: urls }))
    }
    const services = manifests.filter(
      ({ kind, metadata }) => kind === 'Service' && urls.includes(`//${metadata.name}:`),
    )
    expect(services).toHaveLength(replicas)
  })

  test('refuses values without a Secret, and values that nobody knows', async () => {
    await expect(render(...LEAST, '--set', 'existingSecret=')).rejects.toThrow(/existingSecret/)
    await expect(render(...LEAST, '--set', 'replicaCount=3')).rejects.toThrow(/replicaCount/)
  })

  test('is read strictly: an unknown field is refused', async () => {
    const [first] = await render(...LEAST)
    const { exitCode, output } = await readStrictly([
      { ...first!, spec: { ...first?.spec, repliccas: 2 } },
    ])
    expect([exitCode, output]).toEqual([1, expect.stringContaining('repliccas')])
  })
})
