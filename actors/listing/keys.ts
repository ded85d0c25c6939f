import type { Owner } from '../ids.ts'

export function headKey(owner: Owner): string {
  return `${owner}.head`
}

export function pageKey(owner: Owner, index: number): string {
  return `${owner}.p${index}`
}
