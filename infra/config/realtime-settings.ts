import { profiles } from '../../actors/run/state.ts'
import { callSettings } from './call-settings.ts'
import { bytes, choice, flag, integer, items, readBy, text, webAddress } from './kinds.ts'
import { readOrigin } from './origin.ts'
import { telephoneSettings } from './telephone-settings.ts'

/** Voice sessions over WebSocket and WebRTC, and what answers in them. */
export const realtimeSettings = {
  realtimePort: integer({
    variable: 'REALTIME_PORT',
    about: 'Port of realtime sessions and their test page.',
    unit: 'port',
    fallback: 8090,
    max: 65_535,
  }),
  realtimeMetricsPort: integer({
    variable: 'REALTIME_METRICS_PORT',
    about:
      'Port of the Prometheus metrics of a realtime server, in place of METRICS_PORT; 0 means METRICS_PORT, and none with `vaak up`, where the gateway has that.',
    unit: 'port',
    fallback: 0,
    max: 65_535,
  }),
  realtimeUrl: webAddress({
    variable: 'REALTIME_URL',
    about:
      'Where the gateway passes realtime sessions on to, such as `http://10.0.0.7:8090`; empty means REALTIME_PORT of this machine.',
  }),
  realtimeTlsCert: text({
    variable: 'REALTIME_TLS_CERT',
    about: 'In place of TLS_CERT for the realtime port.',
    fallback: '',
  }),
  realtimeTlsKey: text({
    variable: 'REALTIME_TLS_KEY',
    about: 'File with the key (PEM) of that certificate.',
    fallback: '',
  }),
  realtimeOrigins: items({
    variable: 'REALTIME_ORIGINS',
    about:
      'Web pages that may open sessions besides those of CORS_ORIGINS, or `*`. The server’s own pages always may; those on this machine may while HOST is a loopback address.',
    fallback: '',
    expects: '`*` or origins such as https://app.example',
    item: readBy(readOrigin),
  }),
  realtimeRefuseByStatus: flag({
    variable: 'REALTIME_REFUSE_BY_STATUS',
    about: 'Whether a session is refused with an HTTP status instead of an `error` event and a close code.',
    fallback: false,
  }),
  realtimeMaxSessions: integer({
    variable: 'REALTIME_MAX_SESSIONS',
    about: 'Sessions that one node holds at the same time.',
    unit: 'sessions',
    fallback: 10_000,
    min: 1,
    max: 1_000_000,
  }),
  realtimeUserSessions: integer({
    variable: 'REALTIME_USER_SESSIONS',
    about: 'Sessions that one user has at the same time, on all nodes together.',
    unit: 'sessions',
    fallback: 100,
    min: 1,
    max: 1_000_000,
  }),
  realtimeSessionSeconds: integer({
    variable: 'REALTIME_SESSION_SECONDS',
    about: 'How long a session may last.',
    unit: 'seconds',
    fallback: 3600,
    min: 10,
    max: 86_400,
  }),
  realtimeResume: flag({
    variable: 'REALTIME_RESUME',
    about:
      'Whether what was said in sessions is kept in the broker, sealed, for ten minutes, so that clients that were cut off go on at another server.',
    fallback: true,
  }),
  realtimeKeep: flag({
    variable: 'REALTIME_KEEP',
    about:
      'Whether sessions become recordings when their owner asks for it. Realtime servers need the storage of the gateways for it (STORAGE_URL); without it, who asks is refused.',
    fallback: true,
  }),
  realtimeKeepSeconds: integer({
    variable: 'REALTIME_KEEP_SECONDS',
    about:
      'How long the recording of a session may be. At that length it ends, the client is told, and the session goes on.',
    unit: 'seconds',
    fallback: 14_400,
    min: 1,
    max: 86_400,
  }),
  realtimeKeyCheckSeconds: integer({
    variable: 'REALTIME_KEY_CHECK_SECONDS',
    about:
      'How often it is looked whether the API keys still stand that sessions and event streams were opened with; those of a revoked one are ended.',
    unit: 'seconds',
    fallback: 3,
    min: 1,
    max: 3600,
  }),
  realtimeSendBufferBytes: bytes({
    variable: 'REALTIME_SEND_BUFFER_BYTES',
    about: 'What a client may leave unread before its session is closed with 1013.',
    fallback: '8MiB',
    min: 65_536,
  }),
  realtimeUserBytesPerSecond: bytes({
    variable: 'REALTIME_USER_BYTES_PER_SECOND',
    about:
      'What one user may send to one node in all sessions together, over a while: 8 MiB are a hundred microphones. Who sends more has the session closed. 0 means no such limit.',
    fallback: '8MiB',
    min: 0,
  }),
  realtimeUserBytesAtOnce: bytes({
    variable: 'REALTIME_USER_BYTES_AT_ONCE',
    about: 'How much of it may come at once.',
    fallback: '64MiB',
    min: 1_048_576,
  }),
  realtimePingSeconds: integer({
    variable: 'REALTIME_PING_SECONDS',
    about: 'How often a silent client is pinged; one that answers nothing for as long again is dropped.',
    unit: 'seconds',
    fallback: 20,
    min: 8,
    max: 120,
  }),
  ...callSettings,
  ...telephoneSettings,
  realtimeAsrProfile: choice({
    variable: 'REALTIME_ASR_PROFILE',
    about:
      'Which models hear what is said in sessions: faster or more accurate ones. `auto`: the recogniser of `balanced` as long as it is done within the pause that ends a turn, and otherwise that of `fast`; English is heard again as in `fast`.',
    allowed: ['auto', ...profiles],
    fallback: 'auto',
  }),
  realtimeFollow: flag({
    variable: 'REALTIME_FOLLOW',
    about:
      'Whether turns are transcribed while they are spoken, with words that are told before the turn is over. Off, a turn is transcribed when it is over, which takes less of the processor and answers later.',
    fallback: true,
  }),
  realtimeRelayOrigins: items({
    variable: 'REALTIME_RELAY_ORIGINS',
    about:
      'Web pages whose sessions need no key of a user: they show REALTIME_RELAY_KEY, and the server opens them as REALTIME_RELAY_USER. Empty: none.',
    fallback: '',
    expects: 'origins such as https://app.example',
    item: readBy((item) => (item === '*' ? undefined : readOrigin(item))),
  }),
  realtimeRelayKey: text({
    variable: 'REALTIME_RELAY_KEY',
    about: 'What pages of REALTIME_RELAY_ORIGINS show in the place of an API key; at least 16 characters.',
    fallback: '',
    secret: true,
  }),
  realtimeRelayUser: text({
    variable: 'REALTIME_RELAY_USER',
    about: 'The user that relayed sessions belong to; its session limit is theirs together.',
    fallback: 'relay',
  }),
  sessionSecret: text({
    variable: 'SESSION_SECRET',
    about:
      'What ephemeral tokens (`ek_…`) are signed with; empty means KEY_SECRET, and without that a key that nodes share through NATS.',
    fallback: '',
    secret: true,
  }),
  llmBaseUrl: webAddress({
    variable: 'LLM_BASE_URL',
    about:
      'An OpenAI-compatible chat endpoint, such as `http://127.0.0.1:11434/v1`; empty means the built-in agent answers in sessions, and nothing is written about transcripts. Gateways and workers need it as well as realtime servers.',
  }),
  llmModel: text({ variable: 'LLM_MODEL', about: 'The model to ask for there.', fallback: '' }),
  llmApiKey: text({ variable: 'LLM_API_KEY', about: 'The key to ask with.', fallback: '', secret: true }),
  llmBeginMs: integer({
    variable: 'LLM_BEGIN_MS',
    about:
      'How long a caller waits for the beginning of an answer, however often the endpoint is asked; then a sentence is spoken that says so.',
    unit: 'milliseconds',
    fallback: 8_000,
    min: 100,
    max: 600_000,
  }),
  llmTimeoutMs: integer({
    variable: 'LLM_TIMEOUT_MS',
    about: 'How long that endpoint may be silent when it is asked once, and between two parts of its answer.',
    unit: 'milliseconds',
    fallback: 15_000,
    min: 100,
    max: 600_000,
  }),
  llmRetries: integer({
    variable: 'LLM_RETRIES',
    about: 'How often a question is asked again when the endpoint is busy or away and has not begun to answer.',
    unit: 'times',
    fallback: 2,
    max: 10,
  }),
  mcpServers: items({
    variable: 'MCP_SERVERS',
    about:
      'Tool servers (MCP) that sessions may have called, such as `https://tools.example`: their origins. Empty: no client names any.',
    fallback: '',
    expects: 'origins such as https://tools.example',
    item: readBy((item) => (item === '*' ? undefined : readOrigin(item))),
  }),
  mcpTimeoutMs: integer({
    variable: 'MCP_TIMEOUT_MS',
    about: 'How long a tool server may take for each thing that it is asked.',
    unit: 'milliseconds',
    fallback: 10_000,
    min: 100,
    max: 120_000,
  }),
} as const
