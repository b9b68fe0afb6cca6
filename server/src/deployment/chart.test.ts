import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { buildGo, buildGoTool, HAS_GO, runGo, runTool } from '../testing/go-tools.ts'
import { IS_FULL_RUN } from '../testing/scope.ts'

const HELM = { program: 'helm.sh/helm/v3/cmd/helm', version: 'v3.18.4' }
const KUBERNETES = 'v0.33.3'
/** A helm that is built from its module assumes an older cluster than the chart supports. */
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

/** Parses manifests with the types of Kubernetes, and refuses unknown fields. */
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

/** Checks only the resources of Kubernetes itself, without the Prometheus Operator's. */
async function readStrictly(manifests: readonly Manifest[]) {
  const own = manifests.filter(({ apiVersion }) => !apiVersion.startsWith('monitoring.'))
  const file = `${reader}.${process.pid}.yaml`
  await writeFile(file, own.map((manifest) => JSON.stringify(manifest)).join('\n---\n'))
  return runTool(reader, [file])
}

interface Rule {
  ports?: { protocol: string; port: number; endPort?: number }[]
  from?: object[]
  to?: object[]
}

const portsOf = (rules: unknown): string[] =>
  ((rules ?? []) as Rule[]).flatMap(({ ports = [] }) =>
    ports.map(({ protocol, port, endPort }) =>
      [`${protocol} ${port}`, ...[endPort ?? []].flat()].join('-'),
    ),
  )

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

  test('renders everything with the example values', async () => {
    const manifests = await render('--values', EXAMPLE)
    expect(kindsOf(manifests)).toEqual(
      expect.arrayContaining([
        'HorizontalPodAutoscaler rooms-api',
        'HorizontalPodAutoscaler rooms-worker',
        'Ingress rooms',
        'PodDisruptionBudget rooms-recorder',
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
    [[], undefined],
    [
      ['--set', 'metrics.podMonitor.sendToken=true'],
      { credentials: { name: 'interview-room', key: 'METRICS_TOKEN' } },
    ],
  ])('lets Prometheus send the token where it is wanted: %j', async (more, authorization) => {
    const manifests = await render('--values', EXAMPLE, ...more)
    const monitor = manifests.find(({ kind }) => kind === 'PodMonitor')
    expect(monitor?.spec['podMetricsEndpoints']).toEqual([
      {
        port: 'operations',
        path: '/metrics',
        interval: '15s',
        ...(authorization !== undefined && { authorization }),
      },
    ])
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
    // A pod that is not ready may be recording, and gets a request to stop. Another pod does not know that recording.
    for (const { spec } of services) {
      expect(spec['publishNotReadyAddresses']).toBe(true)
      expect(Object.keys(spec['selector'] ?? {})).toContain('statefulset.kubernetes.io/pod-name')
    }
  })

  test('takes a public URL with a port and a slash, as the service does', async () => {
    const url = 'settings.PUBLIC_URL=https://a.example.com:8443/'
    const on = 'ingress.enabled=true,ingress.tlsSecretName=tls,recorder.enabled=true'
    const manifests = await render(...LEAST, '--set', `${url},${on}`)
    const specOf = (kind: string) => manifests.find((each) => each.kind === kind)?.spec
    expect(specOf('Ingress')).toMatchObject({
      rules: [{ host: 'a.example.com' }],
      tls: [{ hosts: ['a.example.com'] }],
    })
    const notified = 'https://a.example.com:8443/api/v1/provider-events'
    expect(JSON.stringify(specOf('StatefulSet'))).toContain(`"${notified}"`)
  })

  test('gives every pod what a cluster adds to it', async () => {
    const folder = path.dirname(reader)
    const file = path.join(folder, `pod-values.${process.pid}.yaml`)
    const pod = {
      podAnnotations: { 'example.com/a': 'yes' },
      podLabels: { team: 'research', 'app.kubernetes.io/component': 'not mine' },
      nodeSelector: { pool: 'media' },
      tolerations: [{ key: 'media', operator: 'Exists' }],
      affinity: { nodeAffinity: {} },
      extraEnv: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/ca/ca.pem' }],
      extraVolumes: [{ name: 'ca', configMap: { name: 'ca' } }],
      extraVolumeMounts: [{ name: 'ca', mountPath: '/ca' }],
    }
    const pods = { api: pod, worker: pod, recorder: { ...pod, enabled: true }, migrate: pod }
    await writeFile(file, JSON.stringify(pods))
    const manifests = await render(...LEAST, '--values', file)
    const workloads = manifests.filter((manifest) => 'template' in manifest.spec)
    expect(workloads).toHaveLength(4)
    for (const { metadata, spec } of workloads) {
      const component = metadata.name.replace('rooms-', '')
      const template = spec['template'] as { metadata: object; spec: { containers: object[] } }
      expect(template.metadata).toMatchObject({
        annotations: pod.podAnnotations,
        labels: { team: 'research', 'app.kubernetes.io/component': component },
      })
      const { nodeSelector, tolerations, affinity } = pod
      expect(template.spec).toMatchObject({ nodeSelector, tolerations, affinity })
      expect(template.spec).toMatchObject({ volumes: expect.arrayContaining(pod.extraVolumes) })
      expect(template.spec.containers[0]).toMatchObject({
        env: expect.arrayContaining(pod.extraEnv),
        volumeMounts: expect.arrayContaining(pod.extraVolumeMounts),
      })
    }
    const { exitCode, output } = await readStrictly(manifests)
    expect([exitCode, output]).toEqual([0, expect.any(String)])
  })

  test('restricts every pod to the connections that it needs, when the policies are on', async () => {
    const settings = [
      'LIVEKIT_URL=http://livekit:7880',
      'S3_ENDPOINT=http://s3:9000',
      'OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318',
    ].map((setting) => `settings.${setting}`)
    const on = ['--set', 'networkPolicy.enabled=true,recorder.enabled=true', '--set']
    const manifests = await render(...LEAST, ...on, settings.join(','))
    const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy')
    const connections = Object.fromEntries(
      policies.map(({ metadata, spec }) => [
        metadata.name,
        { in: portsOf(spec['ingress']), out: portsOf(spec['egress']) },
      ]),
    )
    const service = ['UDP 53', 'TCP 53', 'TCP 5432', 'TCP 9000', 'TCP 7880', 'TCP 7890', 'TCP 4318']
    const anywhere = ['TCP 443', 'TCP 1024-65535']
    const recorder = ['UDP 53', 'TCP 53', 'TCP 9000', 'TCP 7880', 'TCP 443', 'UDP 50000-60000']
    expect(connections).toEqual({
      'rooms-api': { in: ['TCP 9090', 'TCP 3000'], out: [...service, ...anywhere] },
      'rooms-worker': { in: ['TCP 9090'], out: [...service, ...anywhere, 'UDP 50000-60000'] },
      'rooms-recorder': { in: ['TCP 7890'], out: recorder },
      'rooms-migrate': { in: [], out: ['UDP 53', 'TCP 53', 'TCP 5432'] },
    })
    const { exitCode, output } = await readStrictly(manifests)
    expect([exitCode, output]).toEqual([0, expect.any(String)])
  })

  test('lets the policies name peers and ports, and opens what the settings open', async () => {
    const peer = [{ namespaceSelector: { matchLabels: { name: 'data' } } }]
    const policy = {
      enabled: true,
      ingress: { clients: peer, prometheus: peer },
      egress: { database: { to: peer, ports: [6432] }, extra: [{ to: peer }] },
    }
    const file = path.join(path.dirname(reader), `policy-values.${process.pid}.yaml`)
    const settings = { WEBHOOKS_ALLOW_PRIVATE_TARGETS: 'true' }
    await writeFile(file, JSON.stringify({ networkPolicy: policy, settings }))
    const manifests = await render(...LEAST, '--values', file)
    const api = manifests.find(
      ({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === 'rooms-api',
    )
    const { ingress, egress } = api!.spec as { ingress: Rule[]; egress: Rule[] }
    expect(ingress.map(({ from }) => from)).toEqual([peer, peer])
    expect(egress).toContainEqual({ ports: [{ protocol: 'TCP', port: 6432 }], to: peer })
    expect(egress).toContainEqual({ to: peer })
    const anywhere = egress.find(({ ports }) => ports?.some(({ endPort }) => endPort === 65_535))
    expect(anywhere?.to).toBeUndefined()
    expect(portsOf([anywhere!])).toEqual(['TCP 443', 'TCP 1024-65535', 'TCP 80'])
    const { exitCode, output } = await readStrictly(manifests)
    expect([exitCode, output]).toEqual([0, expect.any(String)])
  })

  test.each([
    [1, [] as string[]],
    [2, ['PodDisruptionBudget rooms-recorder']],
  ])('lets a drain of nodes take one of %i recorders', async (replicas, budgets) => {
    const more = ['--set', `recorder.enabled=true,recorder.replicas=${replicas}`]
    const manifests = await render(...LEAST, ...more)
    const kinds = kindsOf(manifests).filter((kind) => kind.startsWith('PodDisruptionBudget'))
    expect(kinds).toEqual([
      'PodDisruptionBudget rooms-api',
      ...budgets,
      'PodDisruptionBudget rooms-worker',
    ])
    const pods = manifests.find(({ kind }) => kind === 'StatefulSet')?.spec['selector']
    const specs = manifests.filter(({ kind, metadata }) =>
      budgets.includes(`${kind} ${metadata.name}`),
    )
    expect(specs.map(({ spec }) => spec)).toEqual(
      budgets.map(() => ({ maxUnavailable: 1, selector: pods })),
    )
  })

  test('refuses values without a Secret, and unknown values', async () => {
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
