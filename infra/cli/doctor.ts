import { stopSignal } from '../up/up.ts'
import { openLog } from '../telemetry/log.ts'
import { progressOn } from '../telemetry/progress.ts'
import type { Command, GivenArguments } from './command.ts'
import type { Examination } from './doctor/diagnosis.ts'

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Look at a deployment, and say what is wrong with it and what to do.',
  examples: `  vaak doctor
  vaak doctor --json --monitor http://10.0.0.5:8222,http://10.0.0.6:8222
`,
  help: `Usage: vaak doctor [--monitor URL,…] [--json]

Reads the settings that the services read, looks at what they name and prints a line for each thing: ok, warning or
failed, with the reason, and below it what to do. Run it where a service runs, with its environment.

  versions   Node.js, nats-server, and the gateway beside this program
  clocks     of the broker and the gateway, against this machine
  broker     its JetStream, streams, copies, room, whether it stores, whether it syncs
  storage    whether it keeps its promises, and is the store that the broker knows
  models     those that the settings use: there, their sha256, whether they open
  machine    ports, sandbox, room on disks, who may read files with secrets

  --monitor  the monitoring port of each server of a broker that is not ours, such as http://10.0.0.5:8222: whether
             it syncs, and how much it may store, is told nowhere else
  --json     print {"healthy": …, "diagnoses": [{"check", "state", "reason", "advice"}, …]}

What it writes to try broker and storage it removes. VAAK_URL is the gateway that is looked at (default: this machine).
Exit code: 1 when something failed, else 0.
`,
  options: { monitor: { type: 'string' }, json: { type: 'boolean' } },
  async run(given) {
    const { diagnosesInWords, examine, isHealthy } = await import('./doctor/diagnosis.ts')
    const progress = progressOn(process.stderr)('looking at the deployment')
    const diagnoses = await examine(await allExaminations(given), { progress, stopping: stopSignal().signal })
    const healthy = isHealthy(diagnoses)
    process.stdout.write(
      given.options['json'] === true ? `${JSON.stringify({ healthy, diagnoses })}\n` : diagnosesInWords(diagnoses),
    )
    if (!healthy) process.exitCode = 1
  },
}

async function allExaminations(given: GivenArguments): Promise<Examination[]> {
  const { config, options } = given
  const { lookAtPrograms } = await import('./doctor/programs.ts')
  const { lookAtBroker } = await import('./doctor/broker.ts')
  const { lookAtDurability } = await import('./doctor/durability.ts')
  const { lookAtGateway } = await import('./doctor/gateway.ts')
  const { lookAtStorage } = await import('./doctor/storage.ts')
  const { lookAtModels } = await import('./doctor/models.ts')
  const { lookAtPorts } = await import('./doctor/ports.ts')
  const { lookAtDisks, lookAtSandbox } = await import('./doctor/machine.ts')
  const { lookAtSecrets } = await import('./doctor/secrets.ts')
  // it says itself what is wrong, in words of its own
  const log = openLog({ level: 'silent', pii: false, role: 'doctor' })
  const monitors = String(options['monitor'] ?? '').split(',').filter(Boolean) // prettier-ignore
  return [
    lookAtPrograms(given, log),
    lookAtBroker(config, log),
    lookAtDurability(config, monitors),
    lookAtGateway(config),
    lookAtStorage(config, log),
    lookAtPorts(config),
    lookAtSandbox(config),
    lookAtSecrets(config),
    lookAtDisks(given),
    lookAtModels(given),
  ]
}
