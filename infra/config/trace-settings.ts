import { z } from 'zod'

import { items, numeral, text, webAddress } from './kinds.ts'
import type { Setting } from './kinds.ts'

const headerForm = /^([!#$%&'*+.^_`|~\w-]+)=(.+)$/

const share: Setting<number> = {
  variable: 'OTEL_TRACES_SAMPLER_ARG',
  about: 'Which part of all traces is told: 1 all, 0.1 one in ten.',
  unit: 'share',
  secret: false,
  fallback: '1',
  expects: 'a number from 0 to 1',
  schema: numeral(/^\d(?:\.\d+)?$/, z.number().max(1)),
}

/** Traces, by the names that OpenTelemetry has for it. */
export const traceSettings = {
  otelEndpoint: webAddress({
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    about:
      'A collector that takes OTLP over HTTP as JSON, such as `http://127.0.0.1:4318`: it is told of traces (`/v1/traces`). Empty: nobody is, at no cost.',
  }),
  otelHeaders: {
    ...items({
      variable: 'OTEL_EXPORTER_OTLP_HEADERS',
      about:
        'What it is shown with each request, such as `authorization=Bearer%20secret`: name and value, percent-encoded.',
      fallback: '',
      expects: 'pairs such as authorization=Bearer%20secret',
      item: z
        .string()
        .regex(headerForm)
        .transform(readHeader)
        .refine((pair) => pair !== undefined),
    }),
    secret: true,
  },
  otelServiceName: text({
    variable: 'OTEL_SERVICE_NAME',
    about: 'What processes are called in traces; empty means `vaak-gateway`, `vaak-worker` and `vaak-realtime`.',
    fallback: '',
  }),
  otelShare: share,
} as const

function readHeader(pair: string): readonly [name: string, value: string] | undefined {
  const [, name = '', value = ''] = headerForm.exec(pair) ?? []
  try {
    return [name, decodeURIComponent(value)]
  } catch {
    return undefined
  }
}
