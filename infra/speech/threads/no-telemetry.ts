import { setProcessVariable } from '../../process/process-variable.ts'

/**
 * The inference runtime tells its maker which models are opened and how they run, and keeps an id of the machine and
 * what it could not send in the user's cache folder. It is told not to before its first model is opened, by the thread
 * that the process began with: others have an environment of their own, which the runtime does not see.
 */
export function forbidTelemetry(): void {
  setProcessVariable('ORT_DISABLE_TELEMETRY', '1')
}
