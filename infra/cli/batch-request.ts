import { channelModes, speakersMax, profiles } from '../../actors/run/state.ts'
import { scripts } from '../../actors/transcript/state.ts'
import type { BatchRequest } from '../client/api.ts'
import { chooser, chosenLanguages, chosenRedaction, jsonObject, textOption, wholeNumber, wordsIn } from './choose.ts'
import type { GivenArguments } from './command.ts'
import { headersIn } from './header-file.ts'

const afterKinds = ['summary', 'chapters', 'translation'] as const

/** What a submission says besides its recordings. */
export async function requestOf(options: GivenArguments['options']): Promise<BatchRequest> {
  const choose = chooser(options)
  const language = choose('language', chosenLanguages, 'auto')
  const profile = choose('profile', profiles, undefined)
  const script = choose('script', scripts, undefined)
  const channels = choose('channels', channelModes, undefined)
  const hotwords = wordsIn(textOption(options, 'hotwords') ?? '')
  const speakers = wholeNumber(options, 'speakers', speakersMax)
  const redact = chosenRedaction(options)
  const callback = textOption(options, 'callback')
  const callbackHeaders = await headersIn(options, 'callback-headers')
  const name = textOption(options, 'name')
  const metadata = jsonObject(options, 'metadata')
  return {
    ...(name !== undefined && { name }),
    ...(metadata && { metadata }),
    ...(language !== 'auto' && { language }),
    ...(profile && { profile }),
    ...(script && { script }),
    ...(channels && { channels }),
    ...(speakers !== undefined && { speakers }),
    ...(hotwords.length > 0 && { hotwords }),
    ...(redact && { redact }),
    ...(options['keep-unredacted'] === true && { keep_unredacted: true }),
    ...(options['redact-audio'] === true && { redact_audio: true }),
    ...afterIn(options),
    ...(options['no-deduplicate'] === true && { deduplicate: false }),
    ...(callback !== undefined && { callback_url: callback }),
    ...(callbackHeaders && { callback_headers: callbackHeaders }),
  }
}

/** What a chat model is to write about each transcript. */
function afterIn(options: GivenArguments['options']): Pick<BatchRequest, 'after'> {
  const question = textOption(options, 'question')
  const after: NonNullable<BatchRequest['after']> = [
    ...afterKinds.filter((kind) => options[kind] === true).map((type) => ({ type })),
    ...(question === undefined ? [] : [{ type: 'question' as const, question }]),
  ]
  return after.length > 0 ? { after } : {}
}
