/** Digits that tell by themselves whether one of them is wrong. Both take digits only. */

/** Of payment cards: every second digit from the right counts double. */
export function isLuhnValid(digits: string): boolean {
  let sum = 0
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[digits.length - 1 - at])
    const counted = at % 2 === 0 ? digit : digit * 2
    sum += counted > 9 ? counted - 9 : counted
  }
  return digits.length > 0 && sum % 10 === 0
}

/** The group of a pentagon's turns and flips. */
const products = ['0123456789', '1234067895', '2340178956', '3401289567', '4012395678'].concat([
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210',
])
const places = [
  '0123456789',
  '1576283094',
  '5803796142',
  '8916043527',
  '9453126870',
  '4286573901',
  '2793806415',
  '7046913258',
]

/** Of Aadhaar numbers: it notices every wrong digit and every two that changed places. */
export function isVerhoeffValid(digits: string): boolean {
  let check = 0
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[digits.length - 1 - at])
    check = Number(products[check]![Number(places[at % places.length]![digit])])
  }
  return digits.length > 0 && check === 0
}
