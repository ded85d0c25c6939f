/** Sound as it travels in events. */

export function toBase64(samples) {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

export function fromBase64(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  return new Int16Array(bytes.buffer)
}
