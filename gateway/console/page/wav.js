const headerBytes = 44

/** 16-bit samples of one channel as a WAV file. */
export function wavOf(pieces, rate) {
  const dataBytes = pieces.reduce((sum, piece) => sum + piece.byteLength, 0)
  const header = new DataView(new ArrayBuffer(headerBytes))
  const write = (at, text) => [...text].forEach((letter, index) => header.setUint8(at + index, letter.charCodeAt(0)))
  write(0, 'RIFF')
  header.setUint32(4, headerBytes - 8 + dataBytes, true)
  write(8, 'WAVEfmt ')
  header.setUint32(16, 16, true)
  header.setUint16(20, 1, true)
  header.setUint16(22, 1, true)
  header.setUint32(24, rate, true)
  header.setUint32(28, rate * 2, true)
  header.setUint16(32, 2, true)
  header.setUint16(34, 16, true)
  write(36, 'data')
  header.setUint32(40, dataBytes, true)
  return new Blob([header, ...pieces], { type: 'audio/wav' })
}
