import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1'
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1'
import { Deployment } from 'kubernetes-models/apps/v1'
import { Job } from 'kubernetes-models/batch/v1'
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Service } from 'kubernetes-models/v1'

import { settings } from '../../infra/config/settings.ts'
import { deployFile } from '../support/deploy-files.ts'
import { renderChart, testWithHelm, unknownFields } from '../support/helm.ts'
import type { KubernetesManifest } from '../support/helm.ts'

const withHelm = await testWithHelm()
const variables = new Set<string>(Object.values(settings).map(({ variable }) => variable))

/** What everybody has to say, and nothing more. */
const least = {
  storage: { url: 's3://vaak?region=eu-central-1' },
  identity: { jwksUrl: 'https://issuer.example/jwks.json', issuer: 'https://issuer.example' },
}
const everything = {
  ...least,
  imagePullSecrets: [{ name: 'registry' }],
  env: { ASR_PROFILE: 'fast' },
  models: { existingClaim: 'models' },
  ingress: {
    enabled: true,
    className: 'nginx',
    host: 'vaak.example',
    tlsSecretName: 'vaak-tls',
    annotations: { a: 'b' },
  },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  autoscaling: { enabled: true },
  nodeSelector: { disk: 'fast' },
  tolerations: [{ key: 'speech', operator: 'Exists' }],
}

/** Who knows what each kind may have, and where its type is. */
const kinds: Readonly<
  Record<string, { readonly model: new (data: never) => { validate(): void }; readonly from: string }>
> = {
  ConfigMap: { model: ConfigMap, from: 'kubernetes-models/v1' },
  Service: { model: Service, from: 'kubernetes-models/v1' },
  Deployment: { model: Deployment, from: 'kubernetes-models/apps/v1' },
  Job: { model: Job, from: 'kubernetes-models/batch/v1' },
  Ingress: { model: Ingress, from: 'kubernetes-models/networking.k8s.io/v1' },
  NetworkPolicy: { model: NetworkPolicy, from: 'kubernetes-models/networking.k8s.io/v1' },
  PodDisruptionBudget: { model: PodDisruptionBudget, from: 'kubernetes-models/policy/v1' },
  ServiceMonitor: { model: ServiceMonitor, from: '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1' },
  ScaledObject: { model: ScaledObject, from: '@kubernetes-models/keda/keda.sh/v1alpha1' },
}

for (const [title, values, count] of [
  ['the chart with the least that can be said', least, 20],
  ['the chart with everything that it can make', everything, 26],
] as const)
  withHelm(`${title} is what Kubernetes expects, to the last field`, async (t) => {
    const { manifests, complaint } = await renderChart(t, values)
    t.is(complaint, undefined)
    t.is(manifests.length, count)
    // never: the model checks what it is given
    for (const one of manifests)
      t.notThrows(() => new kinds[one.kind]!.model(one as never).validate(), one.metadata.name)
    const typed = manifests.map((manifest) => ({
      from: kinds[manifest.kind]!.from,
      type: `I${manifest.kind}`,
      manifest,
    }))
    t.is(await unknownFields(t, typed), '')
  })

withHelm('a field that Kubernetes does not know is noticed', async (t) => {
  const manifest = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec: { porst: [] } }
  t.regex(await unknownFields(t, [{ from: 'kubernetes-models/v1', type: 'IService', manifest }]), /porst/)
})

withHelm('who forgets where storage or the issuer is learns which value that takes', async (t) => {
  for (const [missing, value] of [
    [{ ...least, storage: {} }, 'storage.url'],
    [{ ...least, identity: { issuer: 'https://issuer.example' } }, 'identity.jwksUrl'],
  ] as const)
    t.regex((await renderChart(t, missing)).complaint ?? '', new RegExp(`${value}: `))
})

interface Pod {
  readonly terminationGracePeriodSeconds: number
  readonly containers: readonly [
    {
      readonly args: readonly string[]
      readonly env: readonly {
        readonly name: string
        readonly value?: string
        readonly valueFrom?: { readonly secretKeyRef: { readonly key: string } }
      }[]
      readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } }
    },
  ]
}

function podOf(manifest: KubernetesManifest): Pod {
  return (manifest.spec as { template: { spec: Pod } }).template.spec // as: the schemas have said so
}

withHelm('every role is told settings that there are, its own secrets only, and has the time to drain', async (t) => {
  const { manifests } = await renderChart(t, everything)
  const deployments = manifests.filter(({ kind }) => kind === 'Deployment')
  t.is(deployments.length, 4)
  for (const one of deployments) {
    const { containers, terminationGracePeriodSeconds } = podOf(one)
    const [{ args, env, lifecycle }] = containers
    const [role = ''] = args
    for (const { name } of env) t.true(variables.has(name), name)
    const secrets = env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef.key ?? []).sort()
    const own = `NATS_${role.toUpperCase()}_PASSWORD`
    const place = role === 'realtime' ? 'STORAGE_REALTIME' : 'STORAGE'
    const stored = [`${place}_ACCESS_KEY_ID`, `${place}_SECRET_ACCESS_KEY`]
    const storageNames = env.flatMap(({ name }) => (name.startsWith('STORAGE_') ? name : []))
    t.deepEqual(storageNames, ['STORAGE_URL', 'STORAGE_ACCESS_KEY_ID', 'STORAGE_SECRET_ACCESS_KEY'])
    t.deepEqual(secrets, [...(role === 'worker' ? [] : ['KEY_SECRET']), own, ...stored], one.metadata.name)
    const drain = Number(env.find(({ name }) => name === 'SHUTDOWN_SECONDS')?.value)
    const before = Number(lifecycle?.preStop.exec.command[1] ?? 0)
    t.true(terminationGracePeriodSeconds >= before + drain + 10, one.metadata.name)
  }
})

withHelm('a migration has another name when it is told otherwise, and the same when it is not', async (t) => {
  const nameWith = async (values: object): Promise<string | undefined> =>
    (await renderChart(t, values)).manifests.find(({ kind }) => kind === 'Job')?.metadata.name
  const usual = await nameWith(least)
  t.is(await nameWith({ ...least, roles: { gateway: { replicas: 9 } } }), usual)
  t.not(await nameWith({ ...least, image: { tag: '2.0.0' } }), usual)
})

withHelm('workers are added by what our gateways tell', async (t) => {
  const { manifests } = await renderChart(t, everything)
  const told = await deployFile('grafana/vaak.json')
  const queries = manifests
    .filter(({ kind }) => kind === 'ScaledObject')
    .flatMap(({ spec }) => JSON.stringify(spec).match(/vaak_\w+/g) ?? [])
  t.deepEqual(queries.sort(), ['vaak_backlog_audio_seconds', 'vaak_queue_messages', 'vaak_realtime_sessions'])
  // the dashboard's own test holds these names against running processes
  for (const name of queries) t.true(told.includes(name), name)
})
