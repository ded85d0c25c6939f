import { text, webAddress } from './kinds.ts'

/** Telephone calls, which carriers connect to the realtime server. */
export const telephoneSettings = {
  telephoneTwilioAuthToken: text({
    variable: 'TELEPHONE_TWILIO_AUTH_TOKEN',
    about:
      'Auth token of your account at Twilio: calls that come to `/telephone/twilio` must be signed with it, besides the token of the user whose call it is. Empty: signatures are not looked at.',
    fallback: '',
    secret: true,
  }),
  telephoneUrl: webAddress({
    variable: 'TELEPHONE_URL',
    about:
      'Where carriers find this service, such as `https://voice.example`, for the signatures of Twilio: only needed where a proxy changes the header Host. Empty: at the host that they name.',
  }),
} as const
