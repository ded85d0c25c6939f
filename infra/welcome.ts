import { fileURLToPath } from 'node:url'

const sample = fileURLToPath(new URL('../../infra/samples/hindi.wav', import.meta.url))

/** What a person needs next, ready to paste. */
export function welcome(of: { url: string; dataDir: string; token: string | undefined }): string {
  const token = of.token ?? '<a token of your issuer>'
  return `
  Vaak is ready.

    API        ${of.url}
    Docs       ${of.url}/docs
    Realtime   comes with a later version
    Data       ${of.dataDir}

  Upload a recording (a sample comes with Vaak; put your own after the @):

    export VAAK_URL=${of.url} VAAK_TOKEN=${token}
    curl -sS -H "Authorization: Bearer $VAAK_TOKEN" -F "files=@${sample}" "$VAAK_URL/files/upload"

  See how far it is, list your files:

    curl -sS -H "Authorization: Bearer $VAAK_TOKEN" "$VAAK_URL/files"

  Write a recording down, here on the command line:

    npx vaak transcribe ${sample}

  ${of.token === undefined ? '' : 'More tokens: npm run token -- --user NAME. '}Ctrl-C stops.

`
}
