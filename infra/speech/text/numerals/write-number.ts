/** Figures as they are written in India: the last three digits, then pairs. */
export function indianGrouping(value: number): string {
  const [whole = '', decimals] = String(value).split('.')
  const grouped =
    whole.length > 3 ? `${whole.slice(0, -3).replaceAll(/\B(?=(?:\d{2})+$)/gu, ',')},${whole.slice(-3)}` : whole
  return decimals === undefined ? grouped : `${grouped}.${decimals}`
}

/** Four digits stay together: they are mostly a year. */
export function plainNumber(value: number): string {
  return Math.abs(value) < 10_000 ? String(value) : indianGrouping(value)
}

/** 2.5 is half past two. */
export function clockTime(hours: number): string {
  const whole = Math.floor(hours)
  const minutes = Math.round((hours - whole) * 60)
  return minutes === 0 ? String(whole) : `${whole}:${String(minutes).padStart(2, '0')}`
}

const devanagariZero = 0x09_66

export function inDevanagariDigits(text: string): string {
  return text.replaceAll(/\d/gu, (digit) => String.fromCodePoint(devanagariZero + Number(digit)))
}
