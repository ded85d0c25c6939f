import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the models that are part of the repository: beside the sources, also for code that runs from .build. */
export function bundledModels(): string {
  const start = dirname(fileURLToPath(import.meta.url))
  for (let folder = start; folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, 'package.json'))) return join(folder, 'infra', 'speech', 'models')
  throw new Error(`no package.json above ${start}`)
}
