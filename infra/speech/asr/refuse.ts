import { recogniserRate } from '../../../actors/conversation/ports.ts'
import { terminal } from '../../../actors/failure.ts'

export function refuseLong(clip: Float32Array, windowSeconds: number): void {
  const seconds = clip.length / recogniserRate
  if (seconds > windowSeconds)
    throw terminal('too_large', `a clip of ${seconds.toFixed(1)} s is longer than the ${windowSeconds} s of the model`)
}

export function refuseLanguage(id: string, languages: readonly string[], language: string | undefined): void {
  if (language !== undefined && !languages.includes(language))
    throw terminal('invalid_request', `${id} does not know the language ${language}; it knows ${languages.join(', ')}`)
}
