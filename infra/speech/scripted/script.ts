/**
 * How recordings tell the scripted recogniser what to do. For tests only.
 *
 * A recording is a WAV with 16-bit mono sound at 16 kHz. Each second of it is a chunk (what is left at the end is one
 * too), a second without any audio is silence and none, and the words of a chunk are made from its samples: other sound,
 * other words. A second may begin with commands, six samples each: the two of `mark`, then the numbers of a stage and an act in the
 * lists below, then `times` (so many calls are affected, counted over all processes; 0 means every one) and `ms`.
 *
 * Commands for `hear` count in every second, those for `plan` and `assemble` in the first.
 */
export const mark = [31_337, -31_337] as const
export const stages = ['plan', 'transcribe', 'assemble'] as const
export const acts = [
  'wait', // for `ms`
  'retryable', // fails, and may be tried again
  'terminal', // fails for good
  'hang', // until it is aborted
  'kill', // ends the process as `kill -9` would
  'vary', // hears other words each time
] as const

export interface ScriptCommand {
  readonly stage: (typeof stages)[number]
  readonly act: (typeof acts)[number]
  readonly times: number
  readonly ms: number
}

const commandSamples = 6
const fullScale = 32_768

export function commandsIn(samples: Float32Array): ScriptCommand[] {
  const commands: ScriptCommand[] = []
  for (let at = 0; at + commandSamples <= samples.length; at += commandSamples) {
    const [first, second, stage = 0, act = 0, times = 0, ms = 0] = Array.from(
      samples.subarray(at, at + commandSamples),
      (sample) => sample * fullScale,
    )
    if (first !== mark[0] || second !== mark[1]) break
    const command = { stage: stages[stage], act: acts[act], times, ms }
    if (!command.stage || !command.act) throw new Error(`stage ${stage} or act ${act} is not one of the script's`)
    commands.push({ ...command, stage: command.stage, act: command.act })
  }
  return commands
}
