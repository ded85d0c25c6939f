import type { StartProgress } from '../../telemetry/progress.ts'
import type { RouterModels } from '../asr/task.ts'

const loading = 'loading models'

/** Tells from when until when chunks wait because a model is being opened. */
export function tellOpenings(models: RouterModels, startWait: StartProgress): RouterModels {
  const opened = new Set<string>()

  async function waitFor<Opened>(name: string, opening: Promise<Opened>): Promise<Opened> {
    // it takes no time from then on
    if (opened.has(name)) return opening
    const wait = startWait(loading)
    try {
      const found = await opening
      opened.add(name)
      return found
    } finally {
      wait.done()
    }
  }

  return {
    ...models,
    first: () => waitFor('first', models.first()),
    recogniser: (language) => waitFor(`recogniser ${language}`, models.recogniser(language)),
    fallback: () => waitFor('fallback', models.fallback()),
    detector: () => waitFor('detector', models.detector()),
  }
}
