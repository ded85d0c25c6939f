import { z } from 'zod'

/** How a variable's text becomes a value: one kind of setting each, with the sentence that says what is allowed. */
export interface Setting<Value> {
  readonly variable: string
  readonly about: string
  readonly unit: string
  readonly secret: boolean
  /** As it would be written in the environment. */
  readonly fallback: string
  readonly expects: string
  readonly schema: z.ZodType<Value, string>
}

interface About {
  readonly variable: string
  readonly about: string
}

export function text(input: About & { fallback: string; secret?: boolean }): Setting<string> {
  return { ...input, unit: 'text', secret: input.secret ?? false, expects: 'text', schema: z.string() }
}

/** An http or https address without a slash at its end, or nothing. */
export function webAddress(input: About): Setting<string> {
  const address = z
    .url({ protocol: /^https?$/, abort: true })
    .refine((given) => new URL(given).username === '' && new URL(given).password === '')
    .transform((given) => given.replace(/\/+$/, ''))
  return {
    ...input,
    unit: 'address',
    secret: false,
    fallback: '',
    expects: 'an address that begins with http:// or https://, without a user in it',
    schema: z.literal('').or(address),
  }
}

export function flag(input: About & { fallback: boolean }): Setting<boolean> {
  return {
    ...input,
    unit: 'yes or no',
    secret: false,
    fallback: String(input.fallback),
    expects: 'true or false',
    schema: z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] }),
  }
}

export function integer(input: About & { unit: string; fallback: number; min?: number; max: number }): Setting<number> {
  const { min = 0, max } = input
  return {
    ...input,
    secret: false,
    fallback: String(input.fallback),
    expects: `a whole number from ${min} to ${max} (${input.unit})`,
    schema: numeral(/^\d+$/, z.number().min(min).max(max)),
  }
}

const byteUnits: Readonly<Record<string, number>> = { kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3, tib: 1024 ** 4 }

export function bytes(input: About & { fallback: string; min: number }): Setting<number> {
  return {
    ...input,
    unit: 'bytes',
    secret: false,
    expects: `a size of at least ${input.min} bytes, such as 1048576, 512MiB or 2GiB`,
    schema: z
      .string()
      .regex(/^\d+\s*(?:[kmgt]ib)?$/i)
      .transform((given) => Number.parseInt(given, 10) * (byteUnits[given.slice(-3).toLowerCase()] ?? 1))
      .pipe(z.number().min(input.min).max(Number.MAX_SAFE_INTEGER)),
  }
}

const pausesMax = 20
const pauseMaxSeconds = 86_400

/** Pauses in seconds, separated by commas; the value is in milliseconds. */
export function seconds(input: About & { fallback: string }): Setting<readonly number[]> {
  const pause = numeral(/^\d+(?:\.\d+)?$/, z.number().max(pauseMaxSeconds)).transform((given) => given * 1000)
  return {
    ...input,
    unit: 'seconds, separated by commas',
    secret: false,
    expects: `1 to ${pausesMax} numbers from 0 to ${pauseMaxSeconds} (seconds), separated by commas`,
    schema: words.pipe(z.array(pause).max(pausesMax)),
  }
}

const daysMax = 3650
const msPerDay = 86_400_000

/** Days, also parts of one, and 0 for ever; the value is in milliseconds. */
export function days(input: About): Setting<number> {
  return {
    ...input,
    unit: 'days',
    secret: false,
    fallback: '0',
    expects: `a number from 0 to ${daysMax} (days)`,
    schema: numeral(/^\d+(?:\.\d+)?$/, z.number().max(daysMax)).transform((given) => given * msPerDay),
  }
}

export function choice<const Option extends string>(
  input: About & { allowed: readonly Option[]; fallback: Option },
): Setting<Option> {
  return {
    ...input,
    unit: 'word',
    secret: false,
    expects: `one of ${input.allowed.join(', ')}`,
    schema: z.string().pipe(z.enum(input.allowed)),
  }
}

export function list<const Option extends string>(
  input: About & { allowed: readonly Option[]; fallback: readonly Option[] },
): Setting<readonly Option[]> {
  return {
    ...input,
    unit: 'list',
    secret: false,
    fallback: input.fallback.join(','),
    expects: `one or more of ${input.allowed.join(', ')}, separated by commas`,
    schema: words
      .pipe(z.array(z.enum(input.allowed)))
      .transform((given) => input.allowed.filter((option) => given.includes(option))),
  }
}

/** Things that are not among a few known words; nothing at all is an empty list. */
export function items<Item>(
  input: About & { fallback: string; expects: string; item: z.ZodType<Item, string> },
): Setting<readonly Item[]> {
  return {
    ...input,
    unit: 'list',
    secret: false,
    expects: `${input.expects}, separated by commas`,
    schema: words.transform((given) => given.filter(Boolean)).pipe(z.array(input.item)),
  }
}

/** An item that a function of its own reads, or does not. */
export function readBy<Item>(read: (text: string) => Item | undefined): z.ZodType<Item, string> {
  return z
    .string()
    .transform(read)
    .refine((item) => item !== undefined)
}

const words = z.string().transform((given) => given.split(',').map((word) => word.trim()))

export function numeral(digits: RegExp, range: z.ZodNumber) {
  return z.string().regex(digits).transform(Number).pipe(range)
}
