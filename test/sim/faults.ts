import { runKey } from '../../actors/ids.ts'
import type { BatchId } from '../../actors/ids.ts'
import { openInquiryKey } from '../../actors/inquiry/keys.ts'
import { isRunSettled } from '../../actors/run/state.ts'
import type { SimBody, Platform } from './platform-parts.ts'
import type { SimFault } from './scenario.ts'
import { endIfStopped } from './streams.ts'
import type { Process, World } from './world.ts'

/** Enters the faults of the scenario. */
export function unleash(platform: Platform): void {
  for (const fault of platform.scenario.faults) platform.world.after(fault.atMs, () => strike(platform, fault))
}

function strike(platform: Platform, fault: SimFault): void {
  const { world, streams } = platform
  const victims = [...world.processes].filter(({ isStopping }) => !isStopping)
  const victim = victims.length > 0 ? world.random.pick(victims) : undefined
  switch (fault.type) {
    case 'down':
      world.takeDown(fault.service, fault.ms)
      if (fault.service === 'broker') for (const stream of streams) stream.restart('kill')
      return
    case 'pause':
      return victim && (world.random.chance(0.6) ? world.pause(victim, fault.ms) : haunt(world, victim, fault.ms))
    case 'haunt':
      return victim && haunt(world, victim, fault.ms)
    case 'drain':
      return victim && drain(platform, victim, fault.ms)
    case 'kill':
      return victim && world.crash(victim, 'killed')
    case 'lose':
      return loseOne(platform)
  }
}

/** Stands still, goes on for a moment with what others have in hand by now, and is killed: soon, or as soon as it has stored something. */
function haunt(world: World, process: Process, ms: number): void {
  world.pause(process, ms)
  const kill = (): void => {
    world.count('zombie killed')
    world.crash(process, 'killed')
  }
  const isSoon = world.random.chance(0.5)
  if (!isSoon) world.after(ms, () => (process.whenItStores = () => world.after(world.random.between(0, 5), kill)))
  world.after(ms + world.random.between(1, isSoon ? 300 : 5000), kill)
}

/** Told to stop: takes nothing new, and lets go of what it has when its time is over. */
function drain({ world }: Platform, process: Process, graceMs: number): void {
  world.count('drain')
  world.note(process.name, 'is told to stop')
  process.isStopping = true
  world.after(graceMs, () => {
    for (const hand of process.ongoing) hand.abort()
    endIfStopped(world, process)
  })
}

/**
 * Somebody purges a message of a file that has not settled, in a batch that is still open: the sweeper's promise is for these alone. That a
 * file is gone is not lost: it may be said after the file has settled, and then nobody asks again.
 */
function loseOne(platform: Platform): void {
  const { world, streams } = platform
  const isOpen = new Set([...platform.open.keys(), ...platform.owedCalls.keys()].map((key) => key.split('.')[1]))
  const waiting = streams.flatMap((stream) =>
    [...stream.messages]
      .filter(({ body }) =>
        'inquiryId' in body
          ? platform.openInquiries.get(openInquiryKey(body)) !== undefined
          : isOpen.has(batchIdOf(body)) && !isSaidOnce(body) && !isOfSettled(platform, body),
      )
      .map((message) => ({ stream, message })),
  )
  if (waiting.length === 0) return
  const { stream, message } = world.random.pick(waiting)
  world.count('lost message')
  world.note(stream.name, `loses ${message.id}`)
  stream.lose(message)
}

function isSaidOnce(body: SimBody): boolean {
  return 'at' in body && body.command.type === 'FileMoved' && body.command.standing === 'gone'
}

function isOfSettled({ runs }: Platform, body: SimBody): boolean {
  const ref = 'ref' in body ? body.ref : body
  const run = 'fileId' in ref ? runs.get(runKey(ref)) : undefined
  return run !== undefined && isRunSettled(run.progress)
}

function batchIdOf(body: SimBody): BatchId {
  if ('ref' in body) return body.ref.batchId
  return 'at' in body ? body.at.batchId : body.batchId
}
