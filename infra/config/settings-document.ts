import { attemptSettings } from './attempt-settings.ts'
import { clientSettings } from './client-settings.ts'
import { compatibleSettings } from './compatible-settings.ts'
import type { Setting } from './kinds.ts'
import { realtimeSettings } from './realtime-settings.ts'
import { remoteSettings } from './remote-settings.ts'
import { settings } from './settings.ts'
import { uploadSettings } from './upload-settings.ts'
import { voiceSettings } from './voice-settings.ts'
import { webhookSettings } from './webhook-settings.ts'
import { workSettings } from './work-settings.ts'

type Settings = Readonly<Record<string, Setting<unknown>>>

const chapters: readonly (readonly [title: string, settings: Settings])[] = [
  ['Uploads', uploadSettings],
  ['Batches and workers', workSettings],
  ['Attempts', attemptSettings],
  ['Event streams and webhooks', webhookSettings],
  ['Voices', voiceSettings],
  ['Transcription while the client waits', compatibleSettings],
  ['The command as a client', clientSettings],
  ['Recordings fetched from URLs', remoteSettings],
  ['Realtime sessions', realtimeSettings],
]

const introduction = `# Settings

Generated from the code by \`npm run settings\`: edit \`infra/config\`, not this page.

Every variable that Vaak reads. \`npx vaak config\` shows each with its effective value and where that comes from; secrets are
never printed. A variable that is set to nothing counts as not set. All mistakes are reported together, with the name, what was
given and what is allowed.
`

/** The reference of all variables, for people: infra/docs/settings.md. */
export function settingsDocument(): string {
  const inChapters = new Set(chapters.flatMap(([, ofChapter]) => Object.keys(ofChapter)))
  const others = Object.entries<Setting<unknown>>(settings).filter(([name]) => !inChapters.has(name))
  const all = [['The service', Object.fromEntries(others)] as const, ...chapters]
  return [introduction, ...all.map(([title, ofChapter]) => `## ${title}\n\n${tableOf(ofChapter)}`)].join('\n')
}

function tableOf(ofChapter: Settings): string {
  const rows = Object.values(ofChapter).map(
    ({ variable, fallback, unit, about }) =>
      `| \`${variable}\` | ${fallback === '' ? '' : `\`${fallback}\``} | ${unit} | ${about} |`,
  )
  return ['| variable | default | unit | meaning |', '|---|---|---|---|', ...rows, ''].join('\n')
}
