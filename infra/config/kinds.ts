/** How a variable's text becomes a value: one kind of setting each, with the sentence that says what is allowed. */
export interface Setting<Value> {
  readonly variable: string
  readonly about: string
  readonly unit: string
  readonly secret: boolean
  /** As it would be written in the environment. */
  readonly fallback: string
  readonly expects: string
  parse(given: string): Value | undefined
}

interface About {
  readonly variable: string
  readonly about: string
}

export function text(input: About & { fallback: string; secret?: boolean }): Setting<string> {
  return { ...input, unit: 'text', secret: input.secret ?? false, expects: 'text', parse: (given) => given }
}

/** An http or https address without a slash at its end, or nothing. */
export function webAddress(input: About): Setting<string> {
  return {
    ...input,
    unit: 'address',
    secret: false,
    fallback: '',
    expects: 'an address that begins with http:// or https://, without a user in it',
    parse: (given) => {
      if (given === '') return ''
      const url = URL.canParse(given) ? new URL(given) : undefined
      const isPlain = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
      return isPlain ? given.replace(/\/+$/, '') : undefined
    },
  }
}

export function flag(input: About & { fallback: boolean }): Setting<boolean> {
  const meanings = new Map([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ])
  return {
    ...input,
    unit: 'yes or no',
    secret: false,
    fallback: String(input.fallback),
    expects: 'true or false',
    parse: (given) => meanings.get(given.toLowerCase()),
  }
}

export function integer(input: About & { unit: string; fallback: number; min?: number; max: number }): Setting<number> {
  const { min = 0, max } = input
  return {
    ...input,
    secret: false,
    fallback: String(input.fallback),
    expects: `a whole number from ${min} to ${max} (${input.unit})`,
    parse: (given) => within(/^\d+$/.test(given) ? Number(given) : NaN, min, max),
  }
}

const byteUnits = new Map([
  ['', 1],
  ['kib', 1024],
  ['mib', 1024 ** 2],
  ['gib', 1024 ** 3],
  ['tib', 1024 ** 4],
])

export function bytes(input: About & { fallback: string; min: number }): Setting<number> {
  return {
    ...input,
    unit: 'bytes',
    secret: false,
    expects: `a size of at least ${input.min} bytes, such as 1048576, 512MiB or 2GiB`,
    parse: (given) => {
      const [, amount, unit] = /^(\d+)\s*([a-z]*)$/i.exec(given) ?? []
      const factor = byteUnits.get(unit?.toLowerCase() ?? '')
      return factor === undefined ? undefined : within(Number(amount) * factor, input.min, Number.MAX_SAFE_INTEGER)
    },
  }
}

const pausesMax = 20
const pauseMaxSeconds = 86_400

/** Pauses in seconds, separated by commas; the value is in milliseconds. */
export function seconds(input: About & { fallback: string }): Setting<readonly number[]> {
  return {
    ...input,
    unit: 'seconds, separated by commas',
    secret: false,
    expects: `1 to ${pausesMax} numbers from 0 to ${pauseMaxSeconds} (seconds), separated by commas`,
    parse: (given) => {
      const pauses = given.split(',').map((one) => (/^\s*\d+(?:\.\d+)?\s*$/.test(one) ? Number(one) * 1000 : NaN))
      const isFine = pauses.length <= pausesMax && pauses.every((one) => one <= pauseMaxSeconds * 1000)
      return isFine ? pauses : undefined
    },
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
    parse: (given) => input.allowed.find((option) => option === given),
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
    parse: (given) => {
      const words = given.split(',').map((word) => word.trim())
      const options = input.allowed.filter((option) => words.includes(option))
      return options.length > 0 && words.every((word) => input.allowed.some((option) => option === word))
        ? options
        : undefined
    },
  }
}

/** Things that are not among a few known words; nothing at all is an empty list. */
export function items<Item>(
  input: About & { fallback: string; expects: string; read: (item: string) => Item | undefined },
): Setting<readonly Item[]> {
  return {
    ...input,
    unit: 'list',
    secret: false,
    expects: `${input.expects}, separated by commas`,
    parse: (given) => {
      const words = given.split(',').map((word) => word.trim())
      const values = words.filter(Boolean).map(input.read)
      const known = values.filter((value) => value !== undefined)
      return known.length === values.length ? known : undefined
    },
  }
}

function within(value: number, min: number, max: number): number | undefined {
  return value >= min && value <= max ? value : undefined
}
