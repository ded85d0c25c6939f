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

export function text(of: About & { fallback: string; secret?: boolean }): Setting<string> {
  return { ...of, unit: 'text', secret: of.secret ?? false, expects: 'text', parse: (given) => given }
}

/** An http or https address without a slash at its end, or nothing. */
export function webAddress(of: About): Setting<string> {
  return {
    ...of,
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

export function flag(of: About & { fallback: boolean }): Setting<boolean> {
  const meanings = new Map([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ])
  return {
    ...of,
    unit: 'yes or no',
    secret: false,
    fallback: String(of.fallback),
    expects: 'true or false',
    parse: (given) => meanings.get(given.toLowerCase()),
  }
}

export function integer(of: About & { unit: string; fallback: number; min?: number; max: number }): Setting<number> {
  const { min = 0, max } = of
  return {
    ...of,
    secret: false,
    fallback: String(of.fallback),
    expects: `a whole number from ${min} to ${max} (${of.unit})`,
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

export function bytes(of: About & { fallback: string; min: number }): Setting<number> {
  return {
    ...of,
    unit: 'bytes',
    secret: false,
    expects: `a size of at least ${of.min} bytes, such as 1048576, 512MiB or 2GiB`,
    parse: (given) => {
      const [, amount, unit] = /^(\d+)\s*([a-z]*)$/i.exec(given) ?? []
      const factor = byteUnits.get(unit?.toLowerCase() ?? '')
      return factor === undefined ? undefined : within(Number(amount) * factor, of.min, Number.MAX_SAFE_INTEGER)
    },
  }
}

const pausesMax = 20
const pauseMaxSeconds = 86_400

/** Pauses in seconds, separated by commas; the value is in milliseconds. */
export function seconds(of: About & { fallback: string }): Setting<readonly number[]> {
  return {
    ...of,
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
  of: About & { allowed: readonly Option[]; fallback: Option },
): Setting<Option> {
  return {
    ...of,
    unit: 'word',
    secret: false,
    expects: `one of ${of.allowed.join(', ')}`,
    parse: (given) => of.allowed.find((option) => option === given),
  }
}

export function list<const Option extends string>(
  of: About & { allowed: readonly Option[]; fallback: readonly Option[] },
): Setting<readonly Option[]> {
  return {
    ...of,
    unit: 'list',
    secret: false,
    fallback: of.fallback.join(','),
    expects: `one or more of ${of.allowed.join(', ')}, separated by commas`,
    parse: (given) => {
      const words = given.split(',').map((word) => word.trim())
      const options = of.allowed.filter((option) => words.includes(option))
      return options.length > 0 && words.every((word) => of.allowed.some((option) => option === word))
        ? options
        : undefined
    },
  }
}

/** Things that are not among a few known words; nothing at all is an empty list. */
export function items<Item>(
  of: About & { fallback: string; expects: string; read: (item: string) => Item | undefined },
): Setting<readonly Item[]> {
  return {
    ...of,
    unit: 'list',
    secret: false,
    expects: `${of.expects}, separated by commas`,
    parse: (given) => {
      const words = given.split(',').map((word) => word.trim())
      const values = words.filter(Boolean).map(of.read)
      const known = values.filter((value) => value !== undefined)
      return known.length === values.length ? known : undefined
    },
  }
}

function within(value: number, min: number, max: number): number | undefined {
  return value >= min && value <= max ? value : undefined
}
