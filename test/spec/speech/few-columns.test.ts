import test from 'ava'

import { asProduct } from '../../../infra/speech/vad/few-columns.ts'
import { aRandom } from '../../support/samples.ts'

const shapes = [
  { taps: 3, stride: 1, padding: 1, columns: 4 },
  { taps: 3, stride: 2, padding: 1, columns: 4 },
  { taps: 3, stride: 2, padding: 1, columns: 1 },
  { taps: 5, stride: 2, padding: 0, columns: 11 },
]

for (const { taps, stride, padding, columns } of shapes)
  test(`a product is the convolution of ${columns} columns by ${taps} taps, ${stride} apart, ${padding} around`, (t) => {
    const random = aRandom(taps * 100 + stride * 10 + columns)
    const [inputs, outputs] = [3, 2]
    const numbers = (length: number): Float32Array => Float32Array.from({ length }, () => random() - 0.5)
    const weights = numbers(outputs * inputs * taps)
    const values = numbers(inputs * columns)
    const few = { inputs, outputs, taps: weights, bias: new Float32Array(outputs), stride, padding }
    const product = asProduct(few, columns)
    for (let output = 0; output < outputs; output += 1)
      for (let column = 0; column < product.columns; column += 1) {
        const width = outputs * product.columns
        const to = output * product.columns + column
        const got = values.reduce((sum, value, at) => sum + value * product.matrix[at * width + to]!, 0)
        let wanted = 0
        for (let input = 0; input < inputs; input += 1)
          for (let tap = 0; tap < taps; tap += 1) {
            const from = column * stride + tap - padding
            const value = from >= 0 && from < columns ? values[input * columns + from]! : 0
            wanted += value * weights[(output * inputs + input) * taps + tap]!
          }
        t.true(Math.abs(got - wanted) < 1e-6)
      }
  })
