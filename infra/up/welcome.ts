import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const home = new URL('../../../', import.meta.url)
const sample = fileURLToPath(new URL('infra/samples/hinglish.wav', home))
/** Only an installation puts it where a shell finds it. */
const command = existsSync(new URL('tsconfig.json', home)) ? 'npx vaak' : 'vaak'

/** What a person needs next, ready to paste. */
export function welcome(input: {
  url: string
  realtimeUrl: string
  dataDir: string
  token: string | undefined
  /** A certificate of our own, which programs are told to trust. */
  trusted: string | undefined
}): string {
  const token = input.token ?? '<a token of your issuer>'
  return `
  Vaak is ready. Open it in a browser (what stands behind the # is sent to no server):

    ${input.url}/${input.token === undefined ? '' : `#token=${input.token}`}

    API        ${input.url}
    Docs       ${input.url}/docs
    Realtime   ${input.url.replace(/^http/, 'ws')}/v1/realtime?model=vaak-realtime
    Data       ${input.dataDir}
${input.trusted === undefined ? '' : trustOf(input.trusted)}
  Or upload a recording from here (a sample comes with Vaak; put your own after the @):

    export VAAK_URL=${input.url} VAAK_TOKEN=${token}
    UPLOAD=$(curl -sS -H "Authorization: Bearer $VAAK_TOKEN" -F "files=@${sample}" "$VAAK_URL/files/upload" ${pick('batch_upload_id')}); echo $UPLOAD

  See that it is stored, then have it transcribed:

    curl -sS -H "Authorization: Bearer $VAAK_TOKEN" "$VAAK_URL/files/upload/$UPLOAD"
    BATCH=$(curl -sS -H "Authorization: Bearer $VAAK_TOKEN" -H "Content-Type: application/json" -d "{\\"batch_upload_id\\":\\"$UPLOAD\\"}" "$VAAK_URL/transcribe/batch" ${pick('batch_id')}); echo $BATCH

  Watch it, and read what was said (the first time, models are fetched: some 80 MB):

    curl -sS -H "Authorization: Bearer $VAAK_TOKEN" "$VAAK_URL/transcribe/status/batch/$BATCH"
    curl -sS -H "Authorization: Bearer $VAAK_TOKEN" "$VAAK_URL/transcribe/results/batch/$BATCH"

  Talk to it, in a browser (the token stays behind the # and is sent to no server):

    ${input.realtimeUrl}/#${token}

  Write a recording down, here on the command line:

    ${command} transcribe ${sample}

  ${input.token === undefined ? '' : `More tokens: ${command} token --user NAME. `}Ctrl-C stops.

`
}

/** What follows sets it for programs; a browser asks, once for each port. */
function trustOf(certPath: string): string {
  return `
  The certificate is its own and nobody vouches for it. A browser asks whether to go on, at each of the two addresses; programs
  are told to trust it (Node: NODE_EXTRA_CA_CERTS, curl: CURL_CA_BUNDLE, Python: SSL_CERT_FILE):

    export NODE_EXTRA_CA_CERTS=${certPath} CURL_CA_BUNDLE=${certPath} SSL_CERT_FILE=${certPath}
`
}

/** One value out of a JSON answer, with what every machine has. */
function pick(field: string): string {
  return `| grep -o '"${field}":"[^"]*"' | head -1 | cut -d'"' -f4`
}
