import { openWatchedFolder } from '../../infra/cli/watched-folder.ts'
import { aManualClock } from './manual-clock.ts'

type WatchOptions = Parameters<typeof openWatchedFolder>[1]

/** A watched folder on a clock of its own, and what it says. */
export async function watchFolder(
  folder: string,
  options: Pick<WatchOptions, 'transcribe' | 'isRecursive' | 'triesAgain'>,
) {
  const said: string[] = []
  const clock = aManualClock()
  const watched = await openWatchedFolder(folder, {
    ...options,
    ending: 'txt',
    atOnce: 2,
    clock,
    written: () => undefined,
    say: (sentence) => void said.push(sentence),
  })
  /** Long after the look before: whatever waits is due. */
  const look = (): Promise<void> => {
    clock.advance(3_600_000)
    return watched.look()
  }
  return { watched, said, clock, look }
}
