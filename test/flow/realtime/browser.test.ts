import { says } from '../../support/realtime-fakes.ts'
import { testWithBrowser } from '../../support/chromium.ts'
import { openChromium } from '../../support/open-chromium.ts'
import { aServerForClients } from '../../support/realtime-clients.ts'

const inBrowser = await testWithBrowser()

interface Seen {
  readonly protocol: string
  readonly types: readonly string[]
  readonly text: string
  readonly format: unknown
}

const forms = [
  { dialect: 'ga', marks: [], text: 'response.output_text.done', modalities: 'output_modalities' },
  { dialect: 'beta', marks: ['openai-beta.realtime-v1'], text: 'response.text.done', modalities: 'modalities' },
] as const

for (const { dialect, marks, text, modalities } of forms)
  inBrowser(
    `a page in Chromium opens a session in ${dialect} with its key in a subprotocol, and has a turn`,
    async (t) => {
      t.timeout(240_000)
      const browser = await openChromium()
      t.teardown(() => browser.close())
      const server = await aServerForClients(t)
      server.model.next.push(says('Sunny all day.'))
      const page = await browser.newPage()
      await page.goto(`http://127.0.0.1:${server.port}/`)
      const protocols = ['realtime', `openai-insecure-api-key.${server.apiKey}`, ...marks]
      const seen = await page.evaluate(aTurn, { url: `ws://127.0.0.1:${server.port}`, protocols, text, modalities })
      t.is(seen.protocol, 'realtime')
      t.is(seen.types[0], 'session.created')
      t.is(seen.text, 'Sunny all day.')
      t.is(typeof seen.format, dialect === 'beta' ? 'string' : 'undefined')
    },
  )

/** Runs in the page. */
function aTurn(input: { url: string; protocols: string[]; text: string; modalities: string }): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${input.url}/v1/realtime?model=gpt-realtime`, input.protocols)
    const types: string[] = []
    let format: unknown
    const send = (event: object): void => socket.send(JSON.stringify(event))
    socket.addEventListener('close', ({ code, reason }) => reject(new Error(`${code} ${reason}`)))
    socket.addEventListener('message', ({ data }) => {
      const event = JSON.parse(String(data))
      types.push(event.type)
      if (event.type === 'session.created') {
        format = event.session.input_audio_format
        const content = [{ type: 'input_text', text: 'weather?' }]
        send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } })
        send({ type: 'response.create', response: { [input.modalities]: ['text'] } })
      }
      if (event.type === input.text) resolve({ protocol: socket.protocol, types, text: event.text, format })
    })
  })
}
