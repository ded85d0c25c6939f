import { copyFile, cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Environment } from '../../config/config.ts'

type Run = (program: string, words: readonly string[]) => Promise<string>

/** What stands in for `node:20-bookworm-slim`: a Debian made from its packages, with the Node and npm of this machine. */
export async function makeNodeImage(run: Run, input: { folder: string; environment: Environment }): Promise<string> {
  const { folder, environment } = input
  const [tarball, context] = [join(folder, 'debian.tar'), join(folder, 'node')]
  await run('mmdebstrap', ['--variant=minbase', '--include=ca-certificates,libstdc++6', 'bookworm', tarball])
  await run('podman', ['import', '--quiet', tarball, 'localhost/vaak-debian'])
  await rm(tarball)
  await mkdir(context)
  await copyFile(process.execPath, join(context, 'node'))
  const npm = join((await run('npm', ['root', '--global'])).trim(), 'npm')
  await cp(npm, join(context, 'npm'), { recursive: true, dereference: true })
  const trusted = environment['NODE_EXTRA_CA_CERTS'] ?? ''
  if (trusted !== '') await copyFile(trusted, join(context, 'ca.crt'))
  await writeFile(
    join(context, 'Dockerfile'),
    `FROM localhost/vaak-debian
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
${trusted === '' ? '' : 'COPY ca.crt /etc/machine-ca.crt\nENV NODE_EXTRA_CA_CERTS=/etc/machine-ca.crt\n'}`,
  )
  return build(run, { context, name: 'localhost/vaak-node' })
}

/** What stands in for `nats:2.12-alpine`. */
export async function makeBrokerImage(run: Run, input: { folder: string; binary: string }): Promise<string> {
  const context = join(input.folder, 'broker')
  await mkdir(context)
  await copyFile(input.binary, join(context, 'nats-server'))
  await writeFile(join(context, 'Dockerfile'), 'FROM scratch\nCOPY nats-server /usr/local/bin/nats-server\n')
  return build(run, { context, name: 'localhost/vaak-nats' })
}

async function build(run: Run, { context, name }: { context: string; name: string }): Promise<string> {
  await run('buildah', [...buildWords, '--tag', name, '--file', join(context, 'Dockerfile'), context])
  return name
}

/** Without namespaces, which not every machine grants to who builds; and with health checks, which only this format has. */
const buildWords = ['bud', '--isolation=chroot', '--format=docker', '--quiet']

/** The image itself, from the checkout, by the file that everybody builds it with. */
export async function makeVaakImage(
  run: Run,
  input: { checkout: string; nodeImage: string; brokerImage: string },
): Promise<string> {
  const file = join(input.checkout, 'infra', 'deploy', 'image', 'Dockerfile')
  const given = [`--build-arg=NODE_IMAGE=${input.nodeImage}`, `--build-arg=NATS_IMAGE=${input.brokerImage}`]
  const words = [...given, `--ignorefile=${file}.dockerignore`, '--tag', 'localhost/vaak', '--file', file]
  await run('buildah', [...buildWords, ...words, input.checkout])
  return 'localhost/vaak'
}
